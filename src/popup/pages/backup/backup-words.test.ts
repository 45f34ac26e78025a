import { describe, expect, it } from 'vitest'
import type { WireErrorData } from '../../../provider/errors.ts'
import { RpcError } from '../../platform/rpc.ts'
import { backupInWords } from './backup-words.ts'

const refused = (data: WireErrorData) =>
  backupInWords(Promise.reject(new RpcError({ code: -32602, message: 'As told.', data })))

describe('a backup file that cannot be opened', () => {
  it.each([
    ['not-a-backup', 'This file is not a Satchel backup. Choose another file.'],
    ['damaged', 'This file is damaged. Nothing was changed. Use another copy of it.'],
  ])('is explained where it is %s, with what to do', async (problem, text) => {
    await expect(refused({ problem })).rejects.toThrow(text)
  })
  it('is no reason to hide another failure', async () => {
    await expect(refused({ reason: 'PLAN_OUTDATED' })).rejects.toThrow('As told.')
    await expect(backupInWords(Promise.resolve(7))).resolves.toBe(7)
  })
})
