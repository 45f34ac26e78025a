import { invalidParams } from '../../provider/errors.ts'
import { readOutpoint } from './read-outpoint.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const setCoinChoice: UiMethod<'setCoinChoice'> = async (
  { wallet },
  { outpoint, choice },
) => {
  if (choice !== 'locked' && choice !== 'unlocked' && choice !== null)
    throw invalidParams('choice', choice, 'locked, unlocked or nothing')
  const { network, account } = await loadSelected(wallet)
  await wallet.coinChoices.set(network, account.id, readOutpoint('outpoint', outpoint), choice)
  return null
}
