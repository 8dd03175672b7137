package main

import (
	"fmt"

	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
)

func main() { fmt.Println(len(config.DefaultConfig)); d, err := detect.NewDetectorDefaultConfig(); fmt.Println(d != nil, err) }
