/**
 * Compares our choice of coins with that of the node's wallet (Bitcoin Core's, also in Knots): the same random wallets, each
 * with the same payments at the same fee rates. `npx tsx e2e/commands/compare-selection.ts [wallets] [payments] [first wallet]`; the full
 * comparison is 1000 wallets of 50 payments.
 */
import { type Comparison, compareSelections } from '../node/testing/selection-comparison.ts'
import { inventLife } from '../node/testing/wallet-life.ts'

const [wallets = 1000, payments = 50, first = 0] = process.argv.slice(2).map(Number)
const started = Date.now()
const lives = Array.from({ length: wallets }, (_, i) => inventLife(first + i, payments))
await compareSelections(lives, report)

function report(done: readonly Comparison[]): void {
  const sum = (pick: (comparison: Comparison) => number) =>
    done.reduce((total, comparison) => total + pick(comparison), 0)
  const [our, their] = [sum(({ ours }) => ours.total), sum(({ core }) => core.total)]
  const ratios = done.map(({ ours, core }) => ours.total / core.total).sort((a, b) => a - b)
  const at = (part: number) => (ratios[Math.floor(part * (ratios.length - 1))] ?? 1).toFixed(3)
  console.log(
    [
      `${done.length} wallets, ${sum(({ payments }) => payments)} payments, ${Math.round((Date.now() - started) / 1000)} s:`,
      `our cost is ${(our / their).toFixed(4)} of the node's (${our} to ${their} sats);`,
      `by wallet ${at(0)} to ${at(1)}, 5 % ${at(0.05)}, median ${at(0.5)}, 95 % ${at(0.95)};`,
      `mean of the wallets ${(ratios.reduce((a, b) => a + b, 0) / ratios.length).toFixed(4)};`,
      `fees ${sum(({ ours }) => ours.fees)} to ${sum(({ core }) => core.fees)} sats,`,
      `coins left ${sum(({ ours }) => ours.coinsLeft)} to ${sum(({ core }) => core.coinsLeft)}`,
    ].join(' '),
  )
}
