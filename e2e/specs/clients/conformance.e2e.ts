import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { verifySchnorr } from '@bitcoinerlab/secp256k1'
import { Verifier } from 'bip322-js'
import { Psbt } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METHOD_NAMES } from '../../../src/provider/method-names.ts'
import { CHECKS } from '../../dapp/conformance/checks.ts'
import type { Evidence } from '../../dapp/conformance/kit.ts'
import type { Report } from '../../dapp/conformance/report.ts'
import { runConformance } from '../../driver/conformance.ts'
import { chooseOkxAlias } from '../../driver/wallet-setup.ts'
import { spellForTestnet } from '../../fixtures/conformance-routes.ts'
import { rowsOf } from '../../fixtures/specification/specification.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

const ACCOUNTS = { first: 'Account 1 Taproot', other: 'Account 2 Native' }

/** Checks that a Taproot account on devnet cannot answer: none. */
const NOT_APPLICABLE: string[] = []

const idsOf = (ids: readonly { id: string }[]) => ids.map(({ id }) => id)
const idsFrom = (...starts: string[]) =>
  idsOf(CHECKS).filter(id => starts.some(start => `${id}.`.startsWith(`${start}.`)))

describe('the conformance kit', () => {
  let world: World
  let report: Report

  beforeAll(async () => {
    const page = readFileSync(
      fileURLToPath(new URL('../../dapp/conformance/index.html', import.meta.url)),
      'utf8',
    )
    const broken = page.replace('<script', `<script>(${breakWallet})()</script>\n<script`)
    world = await startWorld('chromium', { pages: { '/conformance/broken.html': broken } })
    const settings = await world.wallet.popup()
    await chooseOkxAlias(settings, { everywhere: true })
    await settings.close()
    const url = `${world.site}conformance/?run`
    ;({ report } = await runConformance(world.wallet, url, { accounts: ACCOUNTS }))
    // All checks of the kit, which take minutes.
  }, 900_000)
  afterAll(() => world?.stop())

  it('finds that Satchel does what the specification says, and what pages use beside it', () => {
    expect(report.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    const silent = report.checks.filter(({ verdict }) => verdict === 'not applicable')
    expect(idsOf(silent)).toEqual(NOT_APPLICABLE)
    expect(idsOf(report.checks)).toEqual(idsOf(CHECKS))
    const { pass } = report.totals
    expect(pass).toBe(CHECKS.filter(({ beyond }) => !beyond).length - NOT_APPLICABLE.length)
    expect(report.endedAt).not.toBeNull()
  })

  it('asks the person where it says so, and nowhere else', async () => {
    await world.wallet.waitForNoApproval()
    const declared = new Map(CHECKS.map(({ id, person }) => [id, person]))
    for (const { id, asked } of report.checks) expect([id, asked]).toEqual([id, declared.get(id)])
  })

  it('leaves signatures behind that other libraries find valid', () => {
    const evidence = report.checks.flatMap(check => check.evidence)
    const messages = evidence.filter(fact => fact.kind === 'message')
    expect(new Set(messages.map(({ type }) => type))).toEqual(new Set(['ecdsa', 'bip322-simple']))
    for (const { address, publicKey, message, signature } of messages) {
      const known = spellForTestnet({ address, publicKey })
      expect([message, Verifier.verifySignature(known, message, signature)]).toEqual([
        message,
        true,
      ])
    }
    const psbts = evidence.filter(fact => fact.kind === 'psbt')
    expect(psbts.length).toBeGreaterThan(15)
    for (const fact of psbts) expect(countValidSignatures(fact)).toBeGreaterThan(0)
  })

  it('has made every call that the specification has, with every argument', () => {
    const listed = rowsOf('Endpoints')
    const names = listed.map(([name]) => name)
    expect(names).toHaveLength(20)
    expect(METHOD_NAMES).toEqual(expect.arrayContaining(names))
    for (const [operation = '', signature = ''] of listed) {
      const calls = passedCalls(operation)
      expect([operation, calls.length > 0]).toEqual([operation, true])
      for (const { name, isOptional } of argumentsOf(signature)) {
        const values = calls.map(args => findArgument(args, name, signature))
        const kinds = new Set(values.map(kindOf))
        const expected = isOptional ? ['given', 'left out', 'undefined'] : ['given']
        expect([operation, name, ...expected.filter(kind => !kinds.has(kind))]).toEqual([
          operation,
          name,
        ])
        const mistakes = idsFrom(`${operation}.bad.${name}`)
        expect([`${operation}.bad.${name}`, mistakes.length > 0]).toEqual([
          `${operation}.bad.${name}`,
          name !== 'tid',
        ])
      }
    }
  })

  it('has used every option, item, type, default and event of its tables', () => {
    const types = passedCalls('mint').map(([order]) => Object(order).type)
    for (const [type] of rowsOf('Mint type values')) expect(types).toContain(Number(type))
    for (const operation of ['signPsbt', 'signPsbts']) {
      const given = JSON.stringify(passedCalls(operation))
      for (const [option] of rowsOf('PSBT signing options')) {
        expect([operation, given]).toEqual([operation, expect.stringContaining(`"${option}":`)])
        expect(idsFrom(`${operation}.bad.${option}`)).not.toEqual([])
      }
      for (const [member] of rowsOf('toSignInputs entry (PSBT signing)')) {
        if (operation === 'signPsbt') expect(given).toContain(`"${member}":`)
        expect(idsFrom(`${operation}.bad.${member}`)).not.toEqual([])
      }
    }
    for (const [member] of rowsOf('sendPsbt item')) {
      expect(JSON.stringify(passedCalls('sendPsbt'))).toContain(`"${member}":`)
      expect(idsFrom(`sendPsbt.bad.${member}`)).not.toEqual([])
    }
    for (const [member] of rowsOf('Inscription item (input of mint)').slice(0, 2)) {
      expect(JSON.stringify(passedCalls('mint'))).toContain(`"${member}":`)
      expect(idsFrom(`mint.bad.${member}`)).not.toEqual([])
    }
    const limits = rowsOf('Limits')
    expect(limits).toHaveLength(6)
    for (const [limit = ''] of limits) {
      const [operation, name] = limit.split(' ')
      expect(idsFrom(`${operation}.default.${name}`)).toHaveLength(1)
    }
    for (const [event = ''] of rowsOf('Events')) expect(idsFrom(event).length).toBeGreaterThan(1)
    const suffixes = JSON.stringify([passedCalls('sendInscription'), passedCalls('transferNft')])
    for (const protocol of ['-Ordinals"', '-Atomicals"']) expect(suffixes).toContain(protocol)
  })

  it('says nothing about payments where there is no devnet, and goes on where it was left', async () => {
    const only = 'getBalance,sendBitcoin,signMessage.bad'
    const url = `${world.site}conformance/?devnet=none&only=${only}&run`
    const { page, report } = await runConformance(world.wallet, url)
    const silent = report.checks.filter(({ verdict }) => verdict === 'not applicable')
    expect(report.totals.fail).toBe(0)
    expect(idsOf(silent)).toContain('sendBitcoin.result')
    expect(new Set(silent.map(({ seen }) => seen))).toEqual(new Set(['no devnet']))
    const { startedAt, checks } = report
    await page.page.goto(`${world.site}conformance/?only=${only},getAccounts.result&resume`)
    await expect.poll(() => page.evaluate(() => document.body.dataset.state)).toBe('done')
    const resumed = (await page.evaluate(() => Object(window).conformanceReport)) as Report
    expect(resumed.startedAt).toBe(startedAt)
    expect(resumed.checks.slice(0, checks.length)).toEqual(checks)
    expect(idsOf(resumed.checks.slice(checks.length))).toEqual(['getAccounts.result'])
  })

  it('finds each of the ways in which a wallet is broken on purpose, and nothing else', async () => {
    const only = [
      ...['getBalance', 'getNetwork', 'getInscriptions', 'pushTx.bad', 'signMessage'],
      ...['signPsbt.autoFinalized', 'sendBitcoin.result', 'send.memo', 'splitUtxo.amount'],
      ...['mint.type.61', 'signPsbts.bad.psbtHexs', 'accountChanged.on'],
      'sendInscription.bad.feeRate.text',
    ]
    const url = `${world.site}conformance/broken.html?global=broken&only=${only}&timeout=5000&run`
    const { report } = await runConformance(world.wallet, url)
    const failed = report.checks.filter(({ verdict }) => verdict === 'fail')
    const expected = [
      // Numbers as texts.
      ...['getBalance.shape', 'getBalance.total'],
      // No answer, ever.
      ...idsFrom('getNetwork'),
      // One page for all arguments.
      ...['getInscriptions.size', 'getInscriptions.cursor', 'getInscriptions.end'],
      ...idsFrom('getInscriptions.bad'),
      // An error that is none.
      ...idsFrom('pushTx.bad'),
      // A signature of something else; errors that are swallowed.
      ...idsFrom('signMessage').filter(id => id !== 'signMessage.ecdsa'),
      // Options that are not read.
      ...[
        'signPsbt.autoFinalized.false',
        'send.memo.first',
        'send.memo.second',
        'splitUtxo.amount',
      ],
      // Another transaction than the one that was made.
      'sendBitcoin.result',
      // A question in place of an error.
      'sendInscription.bad.feeRate.text',
      // Fees of nobody’s transaction.
      'mint.type.61',
      // Thrown, and not rejected.
      ...idsFrom('signPsbts.bad.psbtHexs'),
      'accountChanged.on',
    ]
    expect(idsOf(failed).sort()).toEqual([...new Set(expected)].sort())
    expect(report.checks.filter(({ verdict }) => verdict === 'not applicable')).toEqual([])
  })

  /** Arguments of the calls of an operation in checks that passed and were to succeed. */
  const passedCalls = (operation: string): unknown[][] =>
    report.checks
      .filter(({ id, verdict }) => verdict === 'pass' && !/\.(bad|unconnected)\b/.test(id))
      .flatMap(({ calls }) => calls)
      .filter(call => call.operation === operation && call.outcome.startsWith('resolved'))
      .map(({ args }) => args)
})

/** Runs in the page: Satchel, with faults. */
function breakWallet() {
  type Wallet = { [operation: string]: (...args: unknown[]) => Promise<unknown> }
  type Options = { [member: string]: unknown }
  const { satchel } = window as unknown as { satchel: { bitcoin: Wallet } }
  const call = (operation: string, ...args: unknown[]): Promise<unknown> =>
    satchel.bitcoin[operation]?.(...args) ?? Promise.reject(new Error(operation))
  const wallet: Wallet = {
    ...satchel.bitcoin,
    async getBalance() {
      const balance = Object.entries((await call('getBalance')) as object)
      return Object.fromEntries(balance.map(([name, sats]) => [name, String(sats)]))
    },
    getNetwork: () => new Promise(() => undefined),
    getInscriptions: () => call('getInscriptions', 0, 20),
    async pushTx(...args) {
      return call('pushTx', ...args).catch(({ message }) => Promise.reject({ message }))
    },
    async signMessage(message, ...rest) {
      const isSpared = typeof message !== 'string' || message === 'Conformance: ecdsa'
      const other = isSpared ? message : `${message} `
      return call('signMessage', other, ...rest).catch(() => null)
    },
    signPsbt: psbt => call('signPsbt', psbt),
    async sendBitcoin(...args) {
      return String(await call('sendBitcoin', ...args)).replace(/^../, 'ab')
    },
    sendInscription: (to, id) => call('sendInscription', to, id),
    async send(payment) {
      const { memo: _, ...rest } = payment as Options
      return call('send', rest)
    },
    splitUtxo: request => call('splitUtxo', { ...(request as Options), amount: 2 }),
    async mint(...args) {
      return { ...((await call('mint', ...args)) as object), commitTxFee: 1 }
    },
    signPsbts(...args) {
      if (!Array.isArray(args[0]) || args[0].length === 0) throw new TypeError('no list')
      throw Object.assign(new Error('thrown'), { code: -32602 })
    },
    on() {
      throw new Error('not made yet')
    },
  }
  Object.assign(window, { broken: { bitcoin: wallet } })
}

/** Taproot signatures by a key path that hold for the transaction as it was handed over; throws for one that does not. */
function countValidSignatures({ unsigned, signed }: Evidence & { kind: 'psbt' }): number {
  const { data, txOutputs } = Psbt.fromHex(signed)
  const before = Psbt.fromHex(unsigned)
  expect(txOutputs).toEqual(before.txOutputs)
  const transaction = Object(before).__CACHE.__TX
  const prevouts = before.data.inputs.map(({ witnessUtxo }) => witnessUtxo)
  let count = 0
  for (const [index, { tapKeySig, finalScriptWitness }] of data.inputs.entries()) {
    // A witness of one element: its count, its length, itself.
    const signature = tapKeySig ?? finalScriptWitness?.subarray(2)
    const script = prevouts[index]?.script
    if (!signature || script?.[0] !== 0x51) continue
    const sighash = signature[64] ?? 0
    const hash = transaction.hashForWitnessV1(
      index,
      prevouts.map(prevout => prevout?.script),
      prevouts.map(prevout => prevout?.value),
      sighash,
    )
    expect(verifySchnorr(hash, script.subarray(2), signature.subarray(0, 64))).toBe(true)
    count++
  }
  return count
}

/** Names of the arguments in a cell such as `from (string), [memo (string)]`; members of options count as arguments. */
function argumentsOf(signature: string): { name: string; isOptional: boolean }[] {
  const names = [
    ...signature.matchAll(
      /(\w+)(?:: (?:number|string|array|object|ecdsa)| \()|(?<=\[)(\w+)(?=\])/g,
    ),
  ]
  return names
    .filter(([, name]) => name !== 'object')
    .map(({ 1: named, 2: alone = '', index }) => {
      const name = named ?? alone
      const before = signature.slice(0, index)
      const isBracketed = before.lastIndexOf('[') > before.lastIndexOf(']')
      const isDefault = /\b(default|its meaning)\b/.test(
        signature.slice(index).split(/\),/)[0] ?? '',
      )
      return { name, isOptional: isBracketed || (isDefault && signature.startsWith('one object')) }
    })
}

/** The value of an argument in a call as the report has it; `left out` where there is none. */
function findArgument(args: unknown[], name: string, signature: string): unknown {
  const search = (members: object): unknown =>
    name in members ? Object(members)[name] : 'left out'
  if (signature.startsWith('one object')) return search(Object(args[0]))
  const positions = argumentsOf(signature).map(argument => argument.name)
  const place = positions.filter(position => position !== 'feeRate').indexOf(name)
  if (place >= 0) return place < args.length ? args[place] : 'left out'
  return search(Object(args.at(-1)))
}

function kindOf(value: unknown): string {
  return value === 'left out' ? 'left out' : value === '«undefined»' ? 'undefined' : 'given'
}
