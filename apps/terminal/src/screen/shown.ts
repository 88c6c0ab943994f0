/** What of a person and of a passage the settings let the screen show. */
import type { TerminalState, Verdict } from '../terminal.ts'

/** A verdict with what is told of the person beside it. */
export type ShownVerdict = Verdict & { message?: string; workNumber?: string }

type Field = TerminalState['settings']['values']['displayFields'][number]
export interface Shown {
  fields: readonly Field[]
  unit: TerminalState['settings']['values']['temperatureUnit']
  language: string
  /** Zone of the time; null: the browser's. */
  zone: string | null
}

/** Before the terminal has said what it is set to: nothing that could be too much. */
export const NOTHING_SHOWN: Shown = { fields: [], unit: 'C', language: 'en', zone: null }

/** A temperature in the unit asked for. @param celsius degrees, as everywhere below the screen */
export function temperatureInWords(celsius: number, { unit, language }: Pick<Shown, 'unit' | 'language'>): string {
  const value = unit === 'F' ? (celsius * 9) / 5 + 32 : celsius
  return `${new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)} °${unit}`
}

/** Number, temperature and time of a passage, as far as they are shown. */
export function detailsOf(verdict: ShownVerdict, shown: Shown, isNamed: boolean): string[] {
  const has = (field: Field) => shown.fields.includes(field)
  const { workNumber, checks, occurredAt } = verdict
  const temperature = checks.find((check) => check.code === 'temperature')?.value ?? null
  const time = new Intl.DateTimeFormat(shown.language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(shown.zone !== null && { timeZone: shown.zone }),
  })
  return [
    ...(isNamed && workNumber && has('workNumber') ? [workNumber] : []),
    ...(temperature !== null && temperature >= 0 && has('temperature') ? [temperatureInWords(temperature, shown)] : []),
    ...(has('time') ? [time.format(occurredAt)] : []),
  ]
}
