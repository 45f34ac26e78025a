import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('tells which changes of the code its tests do not notice, and takes endless loops and constants of a module as noticed', async () => {
  const folder = 'testing/mutation/example'
  const command = ['tsx', 'testing/mutation/mutation.ts', folder]
  const { stdout } = await promisify(execFile)('npx', command)
  const written = readFileSync('artifacts/mutation/testing-mutation-example.txt', 'utf8')
  const changes = [...written.matchAll(/(\d+ \w+, .*)\n {2}- (.*)\n {2}\+ (.*)\n/g)].map(
    ([, ...parts]) => parts,
  )
  // Counted by hand: ten itself is never tried, reading past the end adds nothing, nobody asks whether a number is even, and no small one is counted.
  expect(changes).toEqual([
    ['3 EqualityOperator, survived', 'rate > 10', 'rate >= 10'],
    ['8 EqualityOperator, survived', 'at < numbers.length', 'at <= numbers.length'],
    ['12 BlockStatement, not covered', '{ return number % 2 === 0 }', '{}'],
    ['13 ConditionalExpression, not covered', 'number % 2 === 0', 'true'],
    ['13 ConditionalExpression, not covered', 'number % 2 === 0', 'false'],
    ['13 EqualityOperator, not covered', 'number % 2 === 0', 'number % 2 !== 0'],
    ['13 ArithmeticOperator, not covered', 'number % 2', 'number * 2'],
    ['26 ConditionalExpression, survived', 'number < 10', 'false'],
  ])
  expect(stdout).toContain(
    `${folder}: 69.2 % of 26 mutants noticed (3 not, 5 in code that its tests never run)`,
  )
})
