// Package tinymodel answers one question: what does a real model server do with a model that costs nothing?
//
// It writes a language model of one megabyte with random weights: two layers of the llama architecture and a vocabulary
// of bytes and made-up words, in the GGUF file format, version 3. The model's output is noise that looks like prose,
// but a real server loads it, follows a JSON schema with it, computes embeddings and unloads it. It is for tests.
package tinymodel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
)

// The shape of the model.
const (
	width     = 64
	inner     = 160
	layers    = 2
	heads     = 4
	window    = 4096
	alignment = 32
)

// Types of values in a GGUF file.
const (
	typeInt32   uint32 = 5
	typeUint32  uint32 = 4
	typeFloat32 uint32 = 6
	typeBool    uint32 = 7
	typeString  uint32 = 8
	typeArray   uint32 = 9
)

// tensor is a matrix (or, with one dimension, a vector) of 32-bit floats.
type tensor struct {
	name string
	dims []uint64
}

func (t tensor) values() int {
	n := 1
	for _, d := range t.dims {
		n *= int(d)
	}
	return n
}

func (t tensor) bytes() int { return (4*t.values() + alignment - 1) / alignment * alignment }

// Write writes the model; the same seed gives the same file.
func Write(w io.Writer, seed uint64) error {
	all := tensors()
	head := header(all)
	if _, err := w.Write(append(head, make([]byte, padding(len(head)))...)); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for _, t := range all {
		if _, err := w.Write(weights(t, random)); err != nil {
			return err
		}
	}
	return nil
}

func padding(n int) int { return (alignment - n%alignment) % alignment }

// header returns the part of the file before the weights.
func header(all []tensor) []byte {
	b := &buffer{}
	meta := metadata()
	b.WriteString("GGUF")
	b.number(uint32(3))
	b.number(uint64(len(all)))
	b.number(uint64(meta.count))
	b.Write(meta.Bytes())
	offset := 0
	for _, t := range all {
		b.text(t.name)
		b.number(uint32(len(t.dims)))
		for _, d := range t.dims {
			b.number(d)
		}
		b.number(uint32(0)) // 32-bit floats
		b.number(uint64(offset))
		offset += t.bytes()
	}
	return b.Bytes()
}

func tensors() []tensor {
	vocabulary := uint64(len(vocabulary()))
	all := []tensor{{"token_embd.weight", []uint64{width, vocabulary}}}
	for i := range layers {
		block := func(name string, dims ...uint64) {
			all = append(all, tensor{fmt.Sprintf("blk.%d.%s.weight", i, name), dims})
		}
		block("attn_norm", width)
		for _, part := range []string{"attn_q", "attn_k", "attn_v", "attn_output"} {
			block(part, width, width)
		}
		block("ffn_norm", width)
		block("ffn_gate", width, inner)
		block("ffn_up", width, inner)
		block("ffn_down", inner, width)
	}
	return append(all, tensor{"output_norm.weight", []uint64{width}}, tensor{"output.weight", []uint64{width, vocabulary}})
}

// weights returns ones for a norm and small random numbers for a matrix.
func weights(t tensor, random *rand.Rand) []byte {
	b := &buffer{}
	for range t.values() {
		if len(t.dims) == 1 {
			b.number(float32(1))
		} else {
			b.number(float32(random.NormFloat64() * 0.08))
		}
	}
	return append(b.Bytes(), make([]byte, padding(b.Len()))...)
}

// token is a word of the vocabulary and its kind.
type token struct {
	text string
	kind int32
}

// The kinds of tokens in a GGUF vocabulary.
const (
	normal  int32 = 1
	unknown int32 = 2
	control int32 = 3
	oneByte int32 = 6
)

// vocabulary returns every byte, every printable character, and so many words that the model mostly outputs words.
func vocabulary() []token {
	all := []token{{"<unk>", unknown}, {"<s>", control}, {"</s>", control}}
	for i := range 256 {
		all = append(all, token{fmt.Sprintf("<0x%02X>", i), oneByte})
	}
	all = append(all, token{"\u2581", normal}) // the usual character for a space
	for c := '!'; c <= '~'; c++ {
		all = append(all, token{string(c), normal})
	}
	for _, a := range syllables() {
		for _, b := range syllables() {
			all = append(all, token{"\u2581" + a + b, normal})
		}
	}
	return all
}

// syllables returns 30 syllables, so that two of them make 900 words.
func syllables() []string {
	var all []string
	for _, c := range "bdgklm" {
		for _, v := range "aeiou" {
			all = append(all, string(c)+string(v))
		}
	}
	return all
}

// metadata describes the weights.
func metadata() *buffer {
	b := &buffer{}
	b.pairText("general.architecture", "llama")
	b.pairText("general.name", "tiny-random")
	b.pair("general.file_type", typeUint32, uint32(0))
	for key, v := range numbers() {
		b.pair("llama."+key, typeUint32, v)
	}
	b.pair("llama.attention.layer_norm_rms_epsilon", typeFloat32, float32(1e-5))
	b.pairText("tokenizer.ggml.model", "llama")
	b.vocabulary(vocabulary())
	b.pair("tokenizer.ggml.bos_token_id", typeUint32, uint32(1))
	b.pair("tokenizer.ggml.eos_token_id", typeUint32, uint32(2))
	b.pair("tokenizer.ggml.unknown_token_id", typeUint32, uint32(0))
	b.pair("tokenizer.ggml.add_bos_token", typeBool, true)
	b.pair("tokenizer.ggml.add_eos_token", typeBool, false)
	return b
}

// numbers returns the dimensions under their names in the format.
func numbers() func(func(string, uint32) bool) {
	list := []struct {
		key string
		n   int
	}{
		{"context_length", window}, {"embedding_length", width}, {"block_count", layers}, {"feed_forward_length", inner},
		{"attention.head_count", heads}, {"attention.head_count_kv", heads}, {"rope.dimension_count", width / heads},
		{"vocab_size", len(vocabulary())},
	}
	return func(yield func(string, uint32) bool) {
		for _, e := range list {
			if !yield(e.key, uint32(e.n)) {
				return
			}
		}
	}
}

// buffer writes the little-endian values of the format.
type buffer struct {
	bytes.Buffer
	count int // key-value pairs
}

func (b *buffer) number(v any) {
	// Writing to a bytes.Buffer cannot fail, and v always has a fixed size.
	_ = binary.Write(b, binary.LittleEndian, v)
}

func (b *buffer) text(s string) {
	b.number(uint64(len(s)))
	b.WriteString(s)
}

func (b *buffer) key(name string, kind uint32) {
	b.count++
	b.text(name)
	b.number(kind)
}

func (b *buffer) pair(name string, kind uint32, v any) {
	b.key(name, kind)
	b.number(v)
}

func (b *buffer) pairText(name, v string) {
	b.key(name, typeString)
	b.text(v)
}

func (b *buffer) array(name string, kind uint32, n int) {
	b.key(name, typeArray)
	b.number(kind)
	b.number(uint64(n))
}

func (b *buffer) vocabulary(all []token) {
	b.array("tokenizer.ggml.tokens", typeString, len(all))
	for _, t := range all {
		b.text(t.text)
	}
	b.array("tokenizer.ggml.scores", typeFloat32, len(all))
	for range all {
		b.number(float32(0))
	}
	b.array("tokenizer.ggml.token_type", typeInt32, len(all))
	for _, t := range all {
		b.number(t.kind)
	}
}
