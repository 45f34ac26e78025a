import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Half a megabyte with its dictionary: imported only by a screen that sets a password, when it is there. */

/** What a dictionary of English passwords lacks, and what people think of here. */
const NEAR = [
  ...['satchel', 'bitcoin', 'satoshi', 'nakamoto', 'wallet', 'hodl', 'taproot', 'ordinals'],
  ...['passwort', 'kennwort', 'geheim', 'hallo', 'schatz', 'sommer', 'winter', 'berlin'],
]

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: 100 })

/** zxcvbn's score: 0 and 1 fall to those who guess online, 2 to a few hours of many computers, 4 to none. */
export function scorePassword(password: string): 0 | 1 | 2 | 3 | 4 {
  return estimator.check(password, NEAR).score
}
