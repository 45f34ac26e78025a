import english from '../public/_locales/en/messages.json'
import { takeMessages } from '../src/popup/platform/words.ts'

/** Screens' words, which pages await, are there in unit tests from the start. */
takeMessages('en', english)
