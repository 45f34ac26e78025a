import { parseString } from '../../provider/params.ts'
import { confirmInscribing } from '../inscribing/job-confirmation.ts'
import type { UiMethod } from './ui-context.ts'

export const confirmInscribe: UiMethod<'confirmInscribe'> = ({ wallet }, { planId, digest }) =>
  confirmInscribing(wallet, parseString('planId', planId, 64), parseString('digest', digest, 64))
