/**
 * The languages that the screens are for, as BCP 47 tags, and whether each can be chosen: its words are complete, and the screens
 * were looked at with them. They are in `public/_locales`, in a folder of the tag with `_` for `-`, which is how browsers name them;
 * their plural forms are those of `Intl.PluralRules`.
 */
const CAN_BE_CHOSEN = {
  en: true,
  de: true,
  es: true,
  fr: true,
  'pt-BR': true,
  tr: true,
  vi: true,
  ru: true,
  ar: true,
  'zh-CN': true,
  'zh-TW': true,
  ja: true,
  ko: true,
}

export type Language = keyof typeof CAN_BE_CHOSEN

/** Those that a person can choose. */
export const LANGUAGES = (Object.keys(CAN_BE_CHOSEN) as Language[]).filter(
  language => CAN_BE_CHOSEN[language],
)
