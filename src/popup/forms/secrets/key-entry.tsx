import { useRef, useState } from 'react'
import type { WifCheck } from '../../../background/views/account-views.ts'
import type { AddressType } from '../../../bitcoin/address.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { explainError } from '../../state/explain-error.ts'
import { ChoiceGroup } from '../../ui/fields/choice.tsx'
import { SecretText } from '../../ui/fields/secret-text.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { ADDRESS_TYPE_NAMES } from '../../ui/text/account-kinds.ts'
import { shortenAddress } from '../../ui/text/address-text.tsx'

export type ChosenKey = { wif: string; addressType: AddressType; network: Network }

/** A key in wallet import format has 51 or 52 characters; of fewer nothing is said yet. */
const WIF_LENGTH = 51

type KeyEntryProps = {
  /** Networks that the key may belong to, tried in this order. */
  networks: readonly Network[]
  /** The key as it stands, or null while there is none that can be used. */
  onKey: (key: ChosenKey | null) => void
}

/** A private key, and which of its addresses is meant. */
export function KeyEntry({ networks, onKey }: KeyEntryProps) {
  const typed = useRef('')
  const [addressType, setAddressType] = useState<AddressType>('p2wpkh')
  const [found, setFound] = useState<{ check: WifCheck & { valid: true }; network: Network }>()
  const [error, setError] = useState<string | null>(null)

  const readKey = async (text: string) => {
    const wif = text.trim()
    typed.current = wif
    setFound(undefined)
    setError(null)
    onKey(null)
    if (wif.length < WIF_LENGTH) return
    try {
      const { check, network } = await checkOn(networks, wif)
      if (typed.current !== wif) return
      if (!check.valid) return setError(words(PROBLEMS[check.problem]))
      setFound({ check, network })
      onKey({ wif, addressType, network })
    } catch (problem) {
      setError(explainError(problem))
    }
  }

  return (
    <>
      <SecretText
        label={words('keyLabel')}
        first
        note={words('keyNote')}
        error={error}
        onText={text => void readKey(text)}
      />
      {found ? (
        <div className={layoutStyles.stack}>
          <h2>{words('keyWhichAddress')}</h2>
          <ChoiceGroup
            label={words('keyWhichAddress')}
            value={addressType}
            options={found.check.addresses.map(({ addressType: value, address }) => ({
              value,
              name: ADDRESS_TYPE_NAMES[value],
              note: <span className={textStyles.mono}>{shortenAddress(address)}</span>,
            }))}
            onChoose={chosen => {
              setAddressType(chosen)
              onKey({ wif: typed.current, addressType: chosen, network: found.network })
            }}
          />
        </div>
      ) : null}
    </>
  )
}

const PROBLEMS = {
  MALFORMED: 'keyMalformed',
  WRONG_NETWORK: 'keyWrongNetwork',
  UNCOMPRESSED: 'keyUncompressed',
} as const

/** The first network that takes the key, else the last one's refusal. */
async function checkOn(
  networks: readonly Network[],
  wif: string,
): Promise<{ check: WifCheck; network: Network }> {
  const [network, ...others] = networks
  if (network === undefined) throw new Error('No network to look for the key on')
  const check = await call('checkWif', { wif, network })
  const elsewhere = !check.valid && check.problem === 'WRONG_NETWORK' && others.length > 0
  return elsewhere ? checkOn(others, wif) : { check, network }
}
