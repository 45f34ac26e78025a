import { RARITIES, type Rarity } from '../../../ordinals/sats/rarity.ts'
import { goBack } from '../../platform/route.ts'
import { type WordKey, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useSettings } from '../../state/use-settings.ts'
import { SelectField } from '../../ui/fields/field.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import textStyles from '../../ui/styles/text.module.css'
import styles from './settings.module.css'

const FROM_WORDS: { [rarity in Rarity]: WordKey } = {
  uncommon: 'rarityFromUncommon',
  rare: 'rarityFromRare',
  epic: 'rarityFromEpic',
  legendary: 'rarityFromLegendary',
  mythic: 'rarityMythic',
}

/** Protections that can be lifted, each with what it then risks, and one that can be added. */
export function Expert(props: PageProps) {
  const { settings, change, failure } = useSettings(props)
  const { expert } = settings
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('expertTitle')}</Title>
      <p className={textStyles.muted}>{words('expertLead')}</p>
      <div className={styles.switches}>
        <Switch
          label={words('expertUnconfirmed')}
          note={words('expertUnconfirmedRisk')}
          on={expert.spendUnconfirmed}
          onChange={spendUnconfirmed => void change({ expert: { ...expert, spendUnconfirmed } })}
        />
        <Switch
          label={words('expertUnchecked')}
          note={words('expertUncheckedRisk')}
          on={expert.spendUnchecked}
          onChange={spendUnchecked => void change({ expert: { ...expert, spendUnchecked } })}
        />
        <Switch
          label={words('expertBurn')}
          note={words('expertBurnRisk')}
          on={expert.burnAssets}
          onChange={burnAssets => void change({ expert: { ...expert, burnAssets } })}
        />
        <Switch
          label={words('expertSighash')}
          note={words('expertSighashRisk')}
          on={expert.anySighash}
          onChange={anySighash => void change({ expert: { ...expert, anySighash } })}
        />
      </div>
      <h2>{words('expertMoreProtection')}</h2>
      <div className={styles.switches}>
        <Switch
          label={words('expertHoldSmall')}
          note={words('expertHoldSmallNote')}
          on={expert.holdSmallCoins}
          onChange={holdSmallCoins => void change({ expert: { ...expert, holdSmallCoins } })}
        />
      </div>
      <SelectField
        label={words('rarityHold')}
        note={words('rarityHoldNote')}
        value={settings.holdRareSats ?? 'none'}
        options={[
          ...RARITIES.map(value => ({ value, name: words(FROM_WORDS[value]) })),
          { value: 'none' as const, name: words('rarityHoldNone') },
        ]}
        onChoose={chosen => void change({ holdRareSats: chosen === 'none' ? null : chosen })}
      />
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
    </Screen>
  )
}
