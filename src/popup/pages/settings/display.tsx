import type { Currency, Settings } from '../../../background/views/settings-views.ts'
import { LANGUAGES } from '../../../browser/languages.ts'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { currentLanguage, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { useSettings } from '../../state/use-settings.ts'
import { SelectField } from '../../ui/fields/field.tsx'
import { Segments } from '../../ui/fields/segments.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import { nameHost } from '../../ui/text/names.ts'
import { LANGUAGE_NAMES } from './language-names.ts'
import styles from './settings.module.css'
import { ToolbarChoice } from './toolbar-choice.tsx'

const CURRENCIES: readonly Currency[] = ['USD', 'EUR', 'GBP', 'CAD', 'CHF', 'AUD', 'JPY']

/** Language, colours, and a currency beside bitcoin. */
export function Display(props: PageProps) {
  const { settings, change, failure } = useSettings(props)
  const { network, server } = props.state
  const { answer: servers } = useQuery(() => call('getServers', { network }), network, ['servers'])
  const price = servers?.find(({ kind }) => kind === 'price')?.url
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('displayTitle')}</Title>
      <SelectField<Settings['language']>
        label={words('displayLanguage')}
        value={settings.language}
        options={[
          { value: 'auto', name: words('displayLanguageAuto') },
          ...LANGUAGES.map(value => ({ value, name: LANGUAGE_NAMES[value] })),
        ]}
        onChoose={language => void change({ language })}
      />
      <section className={layoutStyles.stack}>
        <h2>{words('displayTheme')}</h2>
        <Segments<Settings['theme']>
          label={words('displayTheme')}
          value={settings.theme}
          options={[
            { value: 'system', name: words('displayThemeSystem') },
            { value: 'light', name: words('displayThemeLight') },
            { value: 'dark', name: words('displayThemeDark') },
          ]}
          onChoose={theme => void change({ theme })}
        />
      </section>
      <ToolbarChoice {...props} />
      <SelectField<Currency | ''>
        label={words('displayCurrency')}
        note={words(settings.currency === null ? 'displayCurrencyOff' : 'displayCurrencyOn', {
          host: nameHost(price || server.url),
        })}
        value={settings.currency ?? ''}
        options={[
          { value: '', name: words('displayCurrencyNone') },
          ...CURRENCIES.map(value => ({ value, name: nameCurrency(value) })),
        ]}
        onChoose={currency => void change({ currency: currency === '' ? null : currency })}
      />
      <div className={styles.switches}>
        <Switch
          label={words('displayHideAmounts')}
          note={words('displayHideAmountsNote')}
          on={settings.hideAmounts}
          onChange={hideAmounts => void change({ hideAmounts })}
        />
        <Switch
          label={words('displaySortSpam')}
          note={words('displaySortSpamNote')}
          on={settings.sortSpam}
          onChange={sortSpam => void change({ sortSpam })}
        />
      </div>
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
    </Screen>
  )
}

function nameCurrency(code: Currency): string {
  const names = new Intl.DisplayNames(currentLanguage(), { type: 'currency' })
  return `${names.of(code)} (${code})`
}
