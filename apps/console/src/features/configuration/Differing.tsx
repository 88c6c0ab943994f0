/** The settings of a device or template in a few words, and all of them on hover. */
import { useTranslation } from 'react-i18next'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { useSettingWords, type FieldName } from './settingFields.ts'
import styles from './configuration.module.css'

/** Settings named in the list; the rest is counted. */
const SHOWN = 2

interface DifferingProps {
  settings: object
  secretsSet: readonly ('consolePassword' | 'wifi')[]
  /** Text where nothing is set. */
  none: string
}

export function Differing({ settings, secretsSet, none }: DifferingProps) {
  const { t } = useTranslation('configuration')
  const words = useSettingWords()
  const differences = [
    ...(Object.entries(settings) as [FieldName, unknown][]).map(([field, value]) =>
      t('said', { name: words.name(field), value: words.value(field, value) }),
    ),
    ...secretsSet.map((name) => t(`secret.${name}`)),
  ]
  if (differences.length === 0) return <span className={styles.none}>{none}</span>
  const rest = differences.length - SHOWN
  return (
    <span className={styles.differing} title={differences.join('\n')}>
      {differences.slice(0, SHOWN).map((one) => (
        <StatusTag key={one} status="info">
          {one}
        </StatusTag>
      ))}
      {rest > 0 && <small>{t('more', { count: rest })}</small>}
    </span>
  )
}
