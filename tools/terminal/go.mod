module keepmum/tools/terminal

go 1.26.0
