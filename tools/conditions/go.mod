module keepmum/tools/conditions

go 1.26.0
