import { expect, it } from 'vitest'
import { EXPLAINED, listLintFaults } from './lint.ts'

const known = [
  ['KEY_FIREFOX_ANDROID_UNSUPPORTED_BY_MIN_VERSION', 'manifest.json'],
  ['DANGEROUS_EVAL', 'lockdown.js'],
  ['UNSAFE_VAR_ASSIGNMENT', 'assets/first-D64KPfkX.js'],
  ['UNSAFE_VAR_ASSIGNMENT', 'worker.js'],
].map(([code = '', file = '']) => ({ code, file, message: 'A word' }))

it('a report of Mozilla’s linter passes with the warnings that are explained, and with these alone', () => {
  expect(known).toHaveLength(EXPLAINED.length)
  expect(listLintFaults({ errors: [], warnings: known })).toEqual([])
  const other = { code: 'DANGEROUS_EVAL', file: 'popup.js', message: 'eval can be harmful.' }
  expect(listLintFaults({ errors: [other], warnings: known })).toEqual([
    'DANGEROUS_EVAL in popup.js: eval can be harmful.',
  ])
  expect(listLintFaults({ errors: [], warnings: [...known, other] })).toEqual([
    'DANGEROUS_EVAL in popup.js: eval can be harmful.',
  ])
  expect(listLintFaults({ errors: [], warnings: known.slice(1) })).toEqual([
    'KEY_FIREFOX_ANDROID_UNSUPPORTED_BY_MIN_VERSION in ^manifest\\.json$ is explained, but there is none: take it out',
  ])
})
