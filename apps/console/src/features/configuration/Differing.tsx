/** What a device or template sets, in a few words; all of it on hover. */
import { useTranslation } from 'react-i18next'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { useSettingWords, type FieldName } from './settingFields.ts'
import styles from './configuration.module.css'

/** Settings named in the list; the rest is counted. */
const SHOWN = 2

interface DifferingProps {
  settings: object
  secretsSet: readonly ('consolePassword' | 'wifi')[]
  /** What is said where nothing is set. */
  none: string
}

export function Differing({ settings, secretsSet, none }: DifferingProps) {
  const { t } = useTranslation('configuration')
  const words = useSettingWords()
  const said = [
    ...(Object.entries(settings) as [FieldName, unknown][]).map(([field, value]) =>
      t('said', { name: words.name(field), value: words.value(field, value) }),
    ),
    ...secretsSet.map((name) => t(`secret.${name}`)),
  ]
  if (said.length === 0) return <span className={styles.none}>{none}</span>
  const rest = said.length - SHOWN
  return (
    <span className={styles.differing} title={said.join('\n')}>
      {said.slice(0, SHOWN).map((one) => (
        <StatusTag key={one} status="info">
          {one}
        </StatusTag>
      ))}
      {rest > 0 && <small>{t('more', { count: rest })}</small>}
    </span>
  )
}
