/** What sensors measured: temperatures and the marks in their place, and what is only said of mask and helmet. */
import { TEMPERATURE_DECIMALS } from '@gatehouse/contract/limits'
import { temperatureSpecialValue, temperatureStatus, type ValueOf } from '@gatehouse/contract/enums'
import type { Measured } from './evidence.ts'
import type { AccessDevice } from './model.ts'

type Range = NonNullable<AccessDevice['temperature']>

/** Whether a number is a temperature, and no mark in its place. */
export const isTemperature = (value: number): boolean =>
  Number.isFinite(value) && value !== temperatureSpecialValue.warning && value !== temperatureSpecialValue.blank

export const isFever = (value: number, { maximum }: Range): boolean => value > maximum

/** Status of what was measured, as a record carries it; null where nothing was. */
export function temperatureStatusOf(value: number | null | undefined, range: Range): ValueOf<typeof temperatureStatus> | null {
  if (value == null || value === temperatureSpecialValue.blank) return null
  if (!isTemperature(value)) return temperatureStatus.measurementFailed
  if (isFever(value, range)) return temperatureStatus.fever
  return value < range.minimum ? temperatureStatus.low : temperatureStatus.normal
}

/**
 * A temperature of a record as it is read: one decimal and a degree sign; a warning sign where it could not be
 * measured, nothing where none was.
 */
export function temperatureText(value: number | null | undefined): string {
  if (value == null || value === temperatureSpecialValue.blank) return ''
  return isTemperature(value) ? `${value.toFixed(TEMPERATURE_DECIMALS)}°` : '⚠'
}

/** What a person is asked to put on at a device that does not refuse those without. */
export function promptsOf({ wear }: Pick<AccessDevice, 'wear'>, measured: Measured): ('mask' | 'helmet')[] {
  return (['mask', 'helmet'] as const).filter((what) => wear?.[what] === 'prompt' && measured[what] === false)
}
