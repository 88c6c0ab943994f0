/** The word of an enum value, in colour where the value is a state. */
import { useTranslation } from 'react-i18next'
import type { Colour } from '@gatehouse/contract/enums/definition'
import type { Status } from '../../theme/tokens.ts'
import styles from '../kit.module.css'

/** The part of a contract enum that is needed here. */
export interface EnumLike {
  readonly name: string
  readonly values: readonly (number | string)[]
  readonly colours: Readonly<Partial<Record<number | string, Colour>>>
}
const STATUS_OF: Record<Colour, Status> = { success: 'ok', error: 'bad', warning: 'wait', processing: 'info', neutral: 'off' }

/** Return a function that gives the word for a value; for an unknown one, its number. */
export function useEnumLabel(): (of: EnumLike, value: number | string) => string {
  const { t } = useTranslation('enums')
  return (of, value) => t(`${of.name}.${value}`, { defaultValue: String(value) })
}

/** Return a function that gives all values of an enum as choices of a select or filter. */
export function useEnumOptions(): (of: EnumLike) => { value: number | string; label: string }[] {
  const label = useEnumLabel()
  return (of) => of.values.map((value) => ({ value, label: label(of, value) }))
}

export function EnumTag({ of, value }: { of: EnumLike; value: number | string | null | undefined }) {
  const label = useEnumLabel()
  if (value === null || value === undefined) return <span className={styles.none}>—</span>
  const colour = of.colours[value]
  if (!colour) return <>{label(of, value)}</>
  return <StatusTag status={STATUS_OF[colour]}>{label(of, value)}</StatusTag>
}

/** A state in words, on the tint of its status. */
export function StatusTag({ status, children }: { status: Status; children: React.ReactNode }) {
  return (
    <span className={styles.tag} data-status={status}>
      {children}
    </span>
  )
}
