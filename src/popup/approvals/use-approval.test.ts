import { describe, expect, it } from 'vitest'
import { invalidParams } from '../../provider/errors.ts'
import { explainEnd } from './use-approval.ts'

describe('why a request has failed before its question', () => {
  it('is said with what cannot be seen spelled out: a part of it may be the site’s', () => {
    const { code, message } = invalidParams('tick', 'a\u202eb', '"c\u200b" alone')
    expect(explainEnd({ code, message })).toBe(
      'tick: expected "c[U+200B]" alone, got the string "a[U+202E]b"',
    )
  })
})
