import type { Language } from '../../../browser/languages.ts'

/** What each language calls itself. */
export const LANGUAGE_NAMES: { [language in Language]: string } = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  'pt-BR': 'Português (Brasil)',
  tr: 'Türkçe',
  vi: 'Tiếng Việt',
  ru: 'Русский',
  ar: 'العربية',
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  ja: '日本語',
  ko: '한국어',
}
