import { BRC20_DECIMALS, InvalidBrc20Error } from '../../../ordinals/brc20/brc20-amount.ts'
import {
  BRC20_CONTENT_TYPE,
  type Brc20Operation,
  countTickerBytes,
  encodeBrc20,
  parseBrc20Operation,
} from '../../../ordinals/brc20/brc20-operation.ts'
import { MAX_ITEMS } from '../../../provider/inscribe-params.ts'
import { words } from '../../platform/words.ts'
import { parseTokenAmount } from '../../ui/text/token-amount.ts'
import { plainNumber } from '../../ui/text/typed-number.ts'

/** The deploy of a token as typed. */
export type DeployForm = { tick: string; max: string; lim: string; dec: string }

export type DeployErrors = { [field in keyof DeployForm]: string | null }

/** Why a text is no ticker that can be minted or deployed here; null when it is one. */
export function explainTicker(tick: string): string | null {
  if (tick === '') return words('brc20TickMissing')
  const bytes = countTickerBytes(tick)
  if (bytes === 6) return words('brc20TickSix')
  if (bytes !== 4 && bytes !== 5) return words('brc20TickLength')
  return tick.includes('\0') ? words('brc20TickLength') : null
}

/** The deploy that the form asks for; null with the errors that stand against it. An empty limit is the whole supply, empty decimals are 18. */
export function parseDeploy(form: DeployForm): {
  operation: Brc20Operation | null
  errors: DeployErrors
} {
  const [max, lim, dec] = [form.max, form.lim, form.dec].map(plainNumber)
  const decimals = /^\d{1,2}$/.test(dec ?? '') && Number(dec) <= BRC20_DECIMALS ? Number(dec) : null
  const context = { decimals, most: null }
  const supply = parseTokenAmount(form.max, context)
  const limit = lim === '' ? null : parseTokenAmount(form.lim, context)
  const selfMint = countTickerBytes(form.tick) === 5
  const isEndless = selfMint && max === '0'
  const errors: DeployErrors = {
    tick: explainTicker(form.tick),
    max: 'error' in supply && !isEndless ? supply.error : null,
    lim: limit !== null && 'error' in limit ? limit.error : null,
    dec: dec === '' || decimals !== null ? null : words('brc20DecimalsInvalid'),
  }
  if (Object.values(errors).some(error => error !== null)) return { operation: null, errors }
  const operation: Brc20Operation = {
    op: 'deploy',
    tick: form.tick,
    max: 'amount' in supply ? supply.amount : '0',
    lim: limit !== null && 'amount' in limit ? limit.amount : null,
    dec: dec === '' || decimals === null ? null : String(decimals),
    selfMint,
  }
  try {
    parseBrc20Operation(BRC20_CONTENT_TYPE, encodeBrc20(operation))
    return { operation, errors }
  } catch (error) {
    if (!(error instanceof InvalidBrc20Error)) throw error
    return { operation: null, errors: { ...errors, max: error.message } }
  }
}

/** How often something is minted at once, from 1 to {@link MAX_ITEMS}; null for any other text. */
export function parseTimes(text: string): number | null {
  const times = /^\d{1,2}$/.test(text.trim()) ? Number(text) : 0
  return times >= 1 && times <= MAX_ITEMS ? times : null
}
