/** A value of an enum in its word, and in its colour where it is a state. */
import { useTranslation } from 'react-i18next'
import type { Colour } from '@gatehouse/contract/enums/definition'
import type { Status } from '../../theme/tokens.ts'
import styles from '../kit.module.css'

/** What is needed of a contract enum. */
export interface EnumLike {
  readonly name: string
  readonly values: readonly (number | string)[]
  readonly colours: Readonly<Partial<Record<number | string, Colour>>>
}
const STATUS_OF: Record<Colour, Status> = { success: 'ok', error: 'bad', warning: 'wait', processing: 'info', neutral: 'off' }

/** The word for a value; an unknown one shows its number. */
export function useEnumLabel(): (of: EnumLike, value: number | string) => string {
  const { t } = useTranslation('enums')
  return (of, value) => t(`${of.name}.${value}`, { defaultValue: String(value) })
}

/** All values as choices of a select or filter. */
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

/** A state in words on its tint. */
export function StatusTag({ status, children }: { status: Status; children: React.ReactNode }) {
  return (
    <span className={styles.tag} data-status={status}>
      {children}
    </span>
  )
}
