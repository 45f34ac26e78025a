import { checkMnemonic as check } from '../../bitcoin/mnemonic.ts'
import { checkText } from './params.ts'
import type { UiMethod } from './ui-context.ts'

export const checkMnemonic: UiMethod<'checkMnemonic'> = async (_, { mnemonic }) => {
  const answer = check(checkText('mnemonic', mnemonic))
  return answer.valid ? { valid: true } : answer
}
