const TWO32 = 0x100000000

/**
 * The permutation P of RFC 9106, section 3.6, in place: eight registers of 16 bytes, the first at `at`, each next one `step`
 * further on, in `words`, which holds 64-bit numbers as two 32-bit words, the low one first.
 *
 * Written out with all of its 16 numbers in local variables (`l` low, `h` high words), and the four mixtures of a round a step
 * at a time in turns, as none of the four waits for another: two thirds of the time that one after the other takes.
 */
// biome-ignore format: a line for each half step of GB
export function permute(words: Int32Array, at: number, step: number): void {
  let l0 = words[at] as number, h0 = words[at + 1] as number
  let l1 = words[at + 2] as number, h1 = words[at + 3] as number
  let l2 = words[at + step] as number, h2 = words[at + step + 1] as number
  let l3 = words[at + step + 2] as number, h3 = words[at + step + 3] as number
  let l4 = words[at + 2 * step] as number, h4 = words[at + 2 * step + 1] as number
  let l5 = words[at + 2 * step + 2] as number, h5 = words[at + 2 * step + 3] as number
  let l6 = words[at + 3 * step] as number, h6 = words[at + 3 * step + 1] as number
  let l7 = words[at + 3 * step + 2] as number, h7 = words[at + 3 * step + 3] as number
  let l8 = words[at + 4 * step] as number, h8 = words[at + 4 * step + 1] as number
  let l9 = words[at + 4 * step + 2] as number, h9 = words[at + 4 * step + 3] as number
  let l10 = words[at + 5 * step] as number, h10 = words[at + 5 * step + 1] as number
  let l11 = words[at + 5 * step + 2] as number, h11 = words[at + 5 * step + 3] as number
  let l12 = words[at + 6 * step] as number, h12 = words[at + 6 * step + 1] as number
  let l13 = words[at + 6 * step + 2] as number, h13 = words[at + 6 * step + 3] as number
  let l14 = words[at + 7 * step] as number, h14 = words[at + 7 * step + 1] as number
  let l15 = words[at + 7 * step + 2] as number, h15 = words[at + 7 * step + 3] as number
  let m: number, s: number, x: number, y: number
  m = Math.imul(l0, l4); s = (l0 >>> 0) + (l4 >>> 0) + ((m << 1) >>> 0); h0 = (h0 + h4 + (((((l0 >>> 0) * (l4 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l0 = s | 0
  x = l12 ^ l0; y = h12 ^ h0; l12 = y; h12 = x
  m = Math.imul(l1, l5); s = (l1 >>> 0) + (l5 >>> 0) + ((m << 1) >>> 0); h1 = (h1 + h5 + (((((l1 >>> 0) * (l5 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l1 = s | 0
  x = l13 ^ l1; y = h13 ^ h1; l13 = y; h13 = x
  m = Math.imul(l2, l6); s = (l2 >>> 0) + (l6 >>> 0) + ((m << 1) >>> 0); h2 = (h2 + h6 + (((((l2 >>> 0) * (l6 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l2 = s | 0
  x = l14 ^ l2; y = h14 ^ h2; l14 = y; h14 = x
  m = Math.imul(l3, l7); s = (l3 >>> 0) + (l7 >>> 0) + ((m << 1) >>> 0); h3 = (h3 + h7 + (((((l3 >>> 0) * (l7 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l3 = s | 0
  x = l15 ^ l3; y = h15 ^ h3; l15 = y; h15 = x
  m = Math.imul(l8, l12); s = (l8 >>> 0) + (l12 >>> 0) + ((m << 1) >>> 0); h8 = (h8 + h12 + (((((l8 >>> 0) * (l12 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l8 = s | 0
  x = l4 ^ l8; y = h4 ^ h8; l4 = (x >>> 24) | (y << 8); h4 = (y >>> 24) | (x << 8)
  m = Math.imul(l9, l13); s = (l9 >>> 0) + (l13 >>> 0) + ((m << 1) >>> 0); h9 = (h9 + h13 + (((((l9 >>> 0) * (l13 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l9 = s | 0
  x = l5 ^ l9; y = h5 ^ h9; l5 = (x >>> 24) | (y << 8); h5 = (y >>> 24) | (x << 8)
  m = Math.imul(l10, l14); s = (l10 >>> 0) + (l14 >>> 0) + ((m << 1) >>> 0); h10 = (h10 + h14 + (((((l10 >>> 0) * (l14 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l10 = s | 0
  x = l6 ^ l10; y = h6 ^ h10; l6 = (x >>> 24) | (y << 8); h6 = (y >>> 24) | (x << 8)
  m = Math.imul(l11, l15); s = (l11 >>> 0) + (l15 >>> 0) + ((m << 1) >>> 0); h11 = (h11 + h15 + (((((l11 >>> 0) * (l15 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l11 = s | 0
  x = l7 ^ l11; y = h7 ^ h11; l7 = (x >>> 24) | (y << 8); h7 = (y >>> 24) | (x << 8)
  m = Math.imul(l0, l4); s = (l0 >>> 0) + (l4 >>> 0) + ((m << 1) >>> 0); h0 = (h0 + h4 + (((((l0 >>> 0) * (l4 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l0 = s | 0
  x = l12 ^ l0; y = h12 ^ h0; l12 = (x >>> 16) | (y << 16); h12 = (y >>> 16) | (x << 16)
  m = Math.imul(l1, l5); s = (l1 >>> 0) + (l5 >>> 0) + ((m << 1) >>> 0); h1 = (h1 + h5 + (((((l1 >>> 0) * (l5 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l1 = s | 0
  x = l13 ^ l1; y = h13 ^ h1; l13 = (x >>> 16) | (y << 16); h13 = (y >>> 16) | (x << 16)
  m = Math.imul(l2, l6); s = (l2 >>> 0) + (l6 >>> 0) + ((m << 1) >>> 0); h2 = (h2 + h6 + (((((l2 >>> 0) * (l6 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l2 = s | 0
  x = l14 ^ l2; y = h14 ^ h2; l14 = (x >>> 16) | (y << 16); h14 = (y >>> 16) | (x << 16)
  m = Math.imul(l3, l7); s = (l3 >>> 0) + (l7 >>> 0) + ((m << 1) >>> 0); h3 = (h3 + h7 + (((((l3 >>> 0) * (l7 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l3 = s | 0
  x = l15 ^ l3; y = h15 ^ h3; l15 = (x >>> 16) | (y << 16); h15 = (y >>> 16) | (x << 16)
  m = Math.imul(l8, l12); s = (l8 >>> 0) + (l12 >>> 0) + ((m << 1) >>> 0); h8 = (h8 + h12 + (((((l8 >>> 0) * (l12 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l8 = s | 0
  x = l4 ^ l8; y = h4 ^ h8; l4 = (x << 1) | (y >>> 31); h4 = (y << 1) | (x >>> 31)
  m = Math.imul(l9, l13); s = (l9 >>> 0) + (l13 >>> 0) + ((m << 1) >>> 0); h9 = (h9 + h13 + (((((l9 >>> 0) * (l13 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l9 = s | 0
  x = l5 ^ l9; y = h5 ^ h9; l5 = (x << 1) | (y >>> 31); h5 = (y << 1) | (x >>> 31)
  m = Math.imul(l10, l14); s = (l10 >>> 0) + (l14 >>> 0) + ((m << 1) >>> 0); h10 = (h10 + h14 + (((((l10 >>> 0) * (l14 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l10 = s | 0
  x = l6 ^ l10; y = h6 ^ h10; l6 = (x << 1) | (y >>> 31); h6 = (y << 1) | (x >>> 31)
  m = Math.imul(l11, l15); s = (l11 >>> 0) + (l15 >>> 0) + ((m << 1) >>> 0); h11 = (h11 + h15 + (((((l11 >>> 0) * (l15 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l11 = s | 0
  x = l7 ^ l11; y = h7 ^ h11; l7 = (x << 1) | (y >>> 31); h7 = (y << 1) | (x >>> 31)

  m = Math.imul(l0, l5); s = (l0 >>> 0) + (l5 >>> 0) + ((m << 1) >>> 0); h0 = (h0 + h5 + (((((l0 >>> 0) * (l5 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l0 = s | 0
  x = l15 ^ l0; y = h15 ^ h0; l15 = y; h15 = x
  m = Math.imul(l1, l6); s = (l1 >>> 0) + (l6 >>> 0) + ((m << 1) >>> 0); h1 = (h1 + h6 + (((((l1 >>> 0) * (l6 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l1 = s | 0
  x = l12 ^ l1; y = h12 ^ h1; l12 = y; h12 = x
  m = Math.imul(l2, l7); s = (l2 >>> 0) + (l7 >>> 0) + ((m << 1) >>> 0); h2 = (h2 + h7 + (((((l2 >>> 0) * (l7 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l2 = s | 0
  x = l13 ^ l2; y = h13 ^ h2; l13 = y; h13 = x
  m = Math.imul(l3, l4); s = (l3 >>> 0) + (l4 >>> 0) + ((m << 1) >>> 0); h3 = (h3 + h4 + (((((l3 >>> 0) * (l4 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l3 = s | 0
  x = l14 ^ l3; y = h14 ^ h3; l14 = y; h14 = x
  m = Math.imul(l10, l15); s = (l10 >>> 0) + (l15 >>> 0) + ((m << 1) >>> 0); h10 = (h10 + h15 + (((((l10 >>> 0) * (l15 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l10 = s | 0
  x = l5 ^ l10; y = h5 ^ h10; l5 = (x >>> 24) | (y << 8); h5 = (y >>> 24) | (x << 8)
  m = Math.imul(l11, l12); s = (l11 >>> 0) + (l12 >>> 0) + ((m << 1) >>> 0); h11 = (h11 + h12 + (((((l11 >>> 0) * (l12 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l11 = s | 0
  x = l6 ^ l11; y = h6 ^ h11; l6 = (x >>> 24) | (y << 8); h6 = (y >>> 24) | (x << 8)
  m = Math.imul(l8, l13); s = (l8 >>> 0) + (l13 >>> 0) + ((m << 1) >>> 0); h8 = (h8 + h13 + (((((l8 >>> 0) * (l13 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l8 = s | 0
  x = l7 ^ l8; y = h7 ^ h8; l7 = (x >>> 24) | (y << 8); h7 = (y >>> 24) | (x << 8)
  m = Math.imul(l9, l14); s = (l9 >>> 0) + (l14 >>> 0) + ((m << 1) >>> 0); h9 = (h9 + h14 + (((((l9 >>> 0) * (l14 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l9 = s | 0
  x = l4 ^ l9; y = h4 ^ h9; l4 = (x >>> 24) | (y << 8); h4 = (y >>> 24) | (x << 8)
  m = Math.imul(l0, l5); s = (l0 >>> 0) + (l5 >>> 0) + ((m << 1) >>> 0); h0 = (h0 + h5 + (((((l0 >>> 0) * (l5 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l0 = s | 0
  x = l15 ^ l0; y = h15 ^ h0; l15 = (x >>> 16) | (y << 16); h15 = (y >>> 16) | (x << 16)
  m = Math.imul(l1, l6); s = (l1 >>> 0) + (l6 >>> 0) + ((m << 1) >>> 0); h1 = (h1 + h6 + (((((l1 >>> 0) * (l6 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l1 = s | 0
  x = l12 ^ l1; y = h12 ^ h1; l12 = (x >>> 16) | (y << 16); h12 = (y >>> 16) | (x << 16)
  m = Math.imul(l2, l7); s = (l2 >>> 0) + (l7 >>> 0) + ((m << 1) >>> 0); h2 = (h2 + h7 + (((((l2 >>> 0) * (l7 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l2 = s | 0
  x = l13 ^ l2; y = h13 ^ h2; l13 = (x >>> 16) | (y << 16); h13 = (y >>> 16) | (x << 16)
  m = Math.imul(l3, l4); s = (l3 >>> 0) + (l4 >>> 0) + ((m << 1) >>> 0); h3 = (h3 + h4 + (((((l3 >>> 0) * (l4 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l3 = s | 0
  x = l14 ^ l3; y = h14 ^ h3; l14 = (x >>> 16) | (y << 16); h14 = (y >>> 16) | (x << 16)
  m = Math.imul(l10, l15); s = (l10 >>> 0) + (l15 >>> 0) + ((m << 1) >>> 0); h10 = (h10 + h15 + (((((l10 >>> 0) * (l15 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l10 = s | 0
  x = l5 ^ l10; y = h5 ^ h10; l5 = (x << 1) | (y >>> 31); h5 = (y << 1) | (x >>> 31)
  m = Math.imul(l11, l12); s = (l11 >>> 0) + (l12 >>> 0) + ((m << 1) >>> 0); h11 = (h11 + h12 + (((((l11 >>> 0) * (l12 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l11 = s | 0
  x = l6 ^ l11; y = h6 ^ h11; l6 = (x << 1) | (y >>> 31); h6 = (y << 1) | (x >>> 31)
  m = Math.imul(l8, l13); s = (l8 >>> 0) + (l13 >>> 0) + ((m << 1) >>> 0); h8 = (h8 + h13 + (((((l8 >>> 0) * (l13 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l8 = s | 0
  x = l7 ^ l8; y = h7 ^ h8; l7 = (x << 1) | (y >>> 31); h7 = (y << 1) | (x >>> 31)
  m = Math.imul(l9, l14); s = (l9 >>> 0) + (l14 >>> 0) + ((m << 1) >>> 0); h9 = (h9 + h14 + (((((l9 >>> 0) * (l14 >>> 0) - (m >>> 0)) / TWO32 + 0.5) << 1) | (m >>> 31)) + ((s / TWO32) | 0)) | 0; l9 = s | 0
  x = l4 ^ l9; y = h4 ^ h9; l4 = (x << 1) | (y >>> 31); h4 = (y << 1) | (x >>> 31)

  words[at] = l0; words[at + 1] = h0
  words[at + 2] = l1; words[at + 3] = h1
  words[at + step] = l2; words[at + step + 1] = h2
  words[at + step + 2] = l3; words[at + step + 3] = h3
  words[at + 2 * step] = l4; words[at + 2 * step + 1] = h4
  words[at + 2 * step + 2] = l5; words[at + 2 * step + 3] = h5
  words[at + 3 * step] = l6; words[at + 3 * step + 1] = h6
  words[at + 3 * step + 2] = l7; words[at + 3 * step + 3] = h7
  words[at + 4 * step] = l8; words[at + 4 * step + 1] = h8
  words[at + 4 * step + 2] = l9; words[at + 4 * step + 3] = h9
  words[at + 5 * step] = l10; words[at + 5 * step + 1] = h10
  words[at + 5 * step + 2] = l11; words[at + 5 * step + 3] = h11
  words[at + 6 * step] = l12; words[at + 6 * step + 1] = h12
  words[at + 6 * step + 2] = l13; words[at + 6 * step + 3] = h13
  words[at + 7 * step] = l14; words[at + 7 * step + 1] = h14
  words[at + 7 * step + 2] = l15; words[at + 7 * step + 3] = h15
}
