module keepmum/tools/gatediff

go 1.26.0
