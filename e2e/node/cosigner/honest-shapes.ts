import type { DraftCase, DraftInput, DraftOutput } from './drafts.ts'
import type { Kit } from './kit.ts'

type Shape = (kit: Kit) => Omit<DraftCase, 'shape' | 'tricks'>

const one = (account: number, item: ReturnType<Kit['item']>, expert = false) => ({
  requests: [{ account, items: [item], expert }],
})

/** What sites ask for in good faith. */
export const HONEST_SHAPES: { [name: string]: Shape } = {
  payment(kit) {
    const account = kit.randomAccount()
    const coins = Array.from({ length: 1 + kit.random(4) }, () => {
      const amount = kit.between(600, 80_000)
      return kit.mint.own(account, amount, kit.randomHoldings(amount))
    })
    const inputs = coins.map(coin => kit.spend(coin))
    const total = kit.claimed(inputs) - kit.between(0, 500)
    const amounts = kit.divide(total, 1 + kit.random(3))
    const outputs = amounts.map(amount =>
      kit.chance(2) ? kit.toThem(amount) : kit.toOwn(account, amount),
    )
    return one(
      account,
      kit.item(account, inputs, [...outputs, ...kit.randomRunestone(coins, outputs.length)]),
    )
  },

  /** SINGLE|ANYONECANPAY with the price at the same place, or signatures over all outputs. */
  listing(kit) {
    const account = kit.randomAccount()
    const count = 1 + kit.random(3)
    const sighash = kit.chance(4) ? 0x81 : 0x83
    const places = kit.random(3)
    const inputs: DraftInput[] = Array.from({ length: places }, () => ({
      ...{ coin: null, sighash: null, isNamed: false, proof: 'none' },
    }))
    const outputs: DraftOutput[] = Array.from({ length: places }, () =>
      kit.toThem(kit.between(0, 1_000)),
    )
    for (let at = 0; at < count; at++) {
      const amount = kit.between(330, 20_000)
      inputs.push(
        kit.spend(kit.mint.own(account, amount, kit.randomHoldings(amount, 1)), { sighash }),
      )
      const price = kit.between(1, kit.chance(3) ? 1_000 : 100_000)
      outputs.push(kit.chance(8) ? kit.toThem(price) : kit.toOwn(account, price))
    }
    if (kit.chance(6)) outputs.reverse()
    return one(account, kit.item(account, inputs, outputs))
  },

  /** An asset of another owner for sats of ours. */
  purchase(kit) {
    const account = kit.randomAccount()
    const goods = kit.between(330, 20_000)
    const lock = kit.randomLock()
    const bought = kit.mint.foreign(lock, goods, { holdings: [kit.randomHolding(goods)] })
    const paying = Array.from({ length: 1 + kit.random(2) }, () => {
      const amount = kit.between(20_000, 90_000)
      return kit.mint.own(account, amount, kit.randomHoldings(amount, 8))
    })
    const sighash = kit.pick([null, null, 1, 0x81])
    const inputs = [kit.spend(bought), ...paying.map(coin => kit.spend(coin, { sighash }))]
    if (kit.chance(4)) inputs.reverse()
    const price = kit.between(1_000, 15_000)
    const rest = kit.claimed(inputs) - goods - price - kit.between(0, 500)
    const outputs = [kit.toOwn(account, goods), kit.toThem(price), kit.toOwn(account, rest)]
    if (kit.chance(4)) outputs.reverse()
    return one(account, kit.item(account, inputs, outputs))
  },

  swap(kit) {
    const account = kit.randomAccount()
    const [mine, theirs] = [kit.between(600, 10_000), kit.between(600, 10_000)]
    const given = kit.mint.own(account, mine, [kit.randomHolding(mine)])
    const got = kit.mint.foreign(kit.randomLock(), theirs, {
      holdings: [kit.randomHolding(theirs)],
    })
    const fee = kit.mint.own(account, kit.between(2_000, 9_000))
    const sighash = kit.pick([null, null, 1, 0x81, 0x83])
    const inputs = [kit.spend(given, { sighash }), kit.spend(got), kit.spend(fee)]
    const outputs = [
      kit.toThem(mine),
      kit.toOwn(account, theirs),
      kit.toOwn(account, fee.amount - 600n),
    ]
    if (kit.chance(2)) outputs.splice(0, 2, ...outputs.slice(0, 2).reverse())
    return one(account, kit.item(account, inputs, outputs))
  },

  payjoin(kit) {
    const account = kit.randomAccount()
    const mine = kit.mint.own(account, kit.between(20_000, 90_000))
    const theirs = kit.mint.foreign(kit.randomLock(), kit.between(5_000, 50_000))
    const inputs = kit.shuffle([kit.spend(mine), kit.spend(theirs)])
    const paid = kit.between(1_000, 15_000)
    const outputs = kit.shuffle([
      kit.toThem(theirs.amount + paid),
      kit.toOwn(account, mine.amount - paid - kit.between(0, 500)),
    ])
    return one(account, kit.item(account, inputs, outputs))
  },

  /** An account signs its part, and another account of the wallet its own later. */
  'two accounts'(kit) {
    const [first, second] = [kit.randomAccount(), kit.randomAccount()]
    const coins = [first, second].map(account => {
      const amount = kit.between(5_000, 40_000)
      return kit.mint.own(account, amount, kit.randomHoldings(amount))
    })
    const sighash = kit.pick([null, null, 0x81, 0x83])
    const inputs = coins.map(coin => kit.spend(coin, { sighash }))
    const amounts = kit.divide(kit.claimed(inputs) - 500n, 2 + kit.random(2))
    const outputs = amounts.map((amount, at) =>
      kit.chance(2) ? kit.toThem(amount) : kit.toOwn(at % 2 === 0 ? first : second, amount),
    )
    const proposed = (account: number) =>
      kit.item(
        account,
        inputs.map(input => {
          const isMine = input.coin?.account === account
          return {
            ...input,
            isNamed: isMine && sighash !== null,
            brings: !isMine && account === second,
          }
        }),
        outputs,
      )
    return {
      requests: [first, ...(second === first ? [] : [second])].map(account => ({
        ...{ account, items: [proposed(account)], expert: false },
      })),
    }
  },

  /** Items that spend what others of the batch make. */
  chain(kit) {
    const account = kit.randomAccount()
    const amount = kit.between(20_000, 80_000)
    const first = kit.mint.own(account, amount, kit.randomHoldings(amount, 2))
    const other = kit.chance(2)
      ? kit.mint.foreign(kit.randomLock(), kit.between(600, 9_000), {
          holdings: kit.chance(2) ? [kit.randomHolding(600n)] : [],
        })
      : null
    const sighash = kit.chance(4) ? 0x81 : null
    const inputs = kit.shuffle([
      kit.spend(first, { sighash }),
      ...(other ? [kit.spend(other)] : []),
    ])
    const parts = kit.divide(kit.claimed(inputs) - 400n, 1 + kit.random(2))
    const outputs = parts.map((part, at) =>
      at > 0 && kit.chance(2) ? kit.toThem(part) : kit.toOwn(account, part),
    )
    const parent = kit.item(account, inputs, outputs)
    const txid = kit.txidOf(parent)
    const futures = parts.map((part, vout) =>
      kit.mint.future(outputs[vout]?.own ? account : null, { txid, vout }, part),
    )
    const spent = futures.slice(0, 1 + kit.random(futures.length)).map(coin => kit.spend(coin))
    const more = kit.mint.own(account, kit.between(2_000, 30_000))
    const child = kit.shuffle([...spent, kit.spend(more)])
    const shares = kit.divide(kit.claimed(child) - 400n, 2)
    const last = shares.map(share =>
      kit.chance(2) ? kit.toThem(share) : kit.toOwn(account, share),
    )
    const items = [parent, kit.item(account, child, last)]
    return {
      requests: [{ account, items: kit.chance(3) ? items.reverse() : items, expert: false }],
    }
  },
}
