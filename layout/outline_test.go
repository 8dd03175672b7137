package layout

import (
	"strconv"
	"strings"
	"testing"
)

func TestAnOutlineIsWhatAFileDeclares(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"a.go": {"package a\n\n// func no() {}\ntype Shop struct {\n\tOpen func() error\n}\n\n" +
			"func (s *Shop) Sell(n int,\n\tto string) (interface{ Close() }, error) {\n" +
			"\tgo func() {}()\n\treturn nil, nil\n}\n" +
			"type id = int\n",
			"4 type Shop struct\n8 func (s *Shop) Sell(n int, to string) (interface{ Close() }, error)\n13 type id = int\n"},
		"a.py": {"import os\n\nclass Shop(Base):\n    def sell(self, n):\n        if n:\n            pass\n\n" +
			"async def main():\n    with open(x) as f:\n        pass\n",
			"3 class Shop(Base)\n4   def sell(self, n)\n8 async def main()\n"},
		"a.ts": {"import { a } from 'b'\nexport class Shop {\n  sell(n: number): void {\n    list.map((x) => {\n" +
			"      go(x)\n    })\n  }\n}\nexport const run = async () => {\n  await go()\n}\nif (x) {\n  go()\n}\n",
			"2 export class Shop\n3   sell(n: number): void\n9 export const run = async () =>\n"},
		"a.cs": {"namespace A\n{\n    class B\n    {\n        void C()\n        {\n            D();\n        }\n" +
			"    }\n}\n", "1 namespace A\n3   class B\n5     void C()\n"},
		"a.rs": {"impl Shop {\n    pub fn sell(&self) -> u8 {\n        1\n    }\n}\n",
			"1 impl Shop\n2   pub fn sell(&self) -> u8\n"},
		"b.go":   {"func broken( {{{ \x00", ""},
		"b.txt":  {"", ""},
		"c.json": {"{\n  \"a\": {\n    \"b\": 1\n  }\n}\n", ""},
	} {
		got := ""
		for _, s := range Outline(name, []byte(c.src)) {
			got += strings.Join([]string{strconv.Itoa(s.Line), s.Text}, " ") + "\n"
		}
		if got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
	}
}

// TestAnOutlineIsBounded whatever the file is.
func TestAnOutlineIsBounded(t *testing.T) {
	for _, name := range []string{"a.go", "a.py"} {
		got := Outline(name, []byte(strings.Repeat("func f"+strings.Repeat("x", 400)+"() {\n\tx()\n}\n", 1000)))
		if len(got) != maxSignatures || len(got[0].Text) > maxSignature+len("…") {
			t.Errorf("%s: %d lines, the first of %d bytes", name, len(got), len(got[0].Text))
		}
	}
}
