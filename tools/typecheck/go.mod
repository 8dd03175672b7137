module keepmum/tools/typecheck

go 1.26.0
