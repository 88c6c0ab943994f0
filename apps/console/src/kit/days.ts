/** dayjs, the date library of antd's date fields, in the language shown. */
import dayjs from 'dayjs'
import 'dayjs/locale/en'
import 'dayjs/locale/zh-cn'
import 'dayjs/locale/zh-tw'
import { useLanguage } from '../i18n/index.ts'
import { formatInstant, useZoneOffset } from './time.ts'

const speak = ({ language }: { language: string }): unknown => dayjs.locale(language.toLowerCase())
speak(useLanguage.getState())
useLanguage.subscribe(speak)

/** Return the time on the clock of the park; date fields hold such times without a zone. */
export const parkNow = (): dayjs.Dayjs => dayjs(formatInstant(Date.now(), useZoneOffset.getState().offset))

export { dayjs }
