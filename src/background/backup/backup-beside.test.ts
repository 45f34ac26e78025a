import { expect, it } from 'vitest'
import { createWorld, startUnlocked } from '../testing/test-wallet.ts'
import { BACKUP_PASSWORD, createBackup } from './testing/full-wallet.ts'

const password = BACKUP_PASSWORD

it.each(['setOrdinalsAddress', 'setManyAddresses'] as const)(
  'no address is in two accounts where another page widens one (%s) while a backup is restored',
  async method => {
    const worker = await startUnlocked(createWorld())
    const [taproot, segwit] = (await worker.ui('getState', null)).accounts
    const later = { addressType: 'p2wpkh', line: 'receive', index: 4 } as const
    const [fifth] = await worker.ui('addScanned', { found: [later] })
    const file = await createBackup(worker)
    const gone = method === 'setOrdinalsAddress' ? taproot : fifth
    await worker.ui('removeAccount', { accountId: gone?.id ?? '' })
    const { digest } = await worker.ui('reviewBackup', { file, password })
    const restoring = worker.ui('restoreBackup', { file, password, digest, parts: ['accounts'] })
    await new Promise(resolve => setTimeout(resolve, 1))
    const widening = worker.ui(method, { accountId: segwit?.id ?? '', on: true })
    const ended = await Promise.allSettled([restoring, widening])
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { accounts } = await worker.ui('getState', null)
    const own = accounts.flatMap(({ address, ordinals }) => [address, ordinals?.address ?? []])
    expect(own.flat().length).toBe(new Set(own.flat()).size)
    const wide = accounts.find(({ descriptor }) => descriptor !== null)
    expect(wide && accounts.some(({ address }) => address === gone?.address)).not.toBe(true)
  },
)
