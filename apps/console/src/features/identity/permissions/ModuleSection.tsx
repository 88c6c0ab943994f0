/** The permissions of one module: one box for all of them, one for each. */
import { Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from '../identity.module.css'
import { isHeld } from './granting.ts'
import { usePermissionWords } from './usePermissionWords.ts'

interface ModuleSectionProps {
  module: string
  /** All codes of the module that may be granted. */
  all: string[]
  /** Those shown, which a search may make fewer. */
  codes: string[]
  ticked: string[]
  tick: (codes: string[], on: boolean) => void
  readOnly: boolean
}

export function ModuleSection({ module, all, codes, ticked, tick, readOnly }: ModuleSectionProps) {
  const { t } = useTranslation('identity')
  const words = usePermissionWords()
  const set = new Set(ticked)
  const count = all.filter((code) => set.has(code)).length
  const shownAll = codes.every((code) => set.has(code))
  return (
    <section className={styles.module} data-some={count > 0 || undefined} aria-label={words.module(module)}>
      <div className={styles.moduleHead}>
        <Checkbox
          checked={shownAll}
          indeterminate={!shownAll && count > 0}
          disabled={readOnly}
          onChange={({ target }) => tick(codes, target.checked)}
        >
          <b>{words.module(module)}</b>
        </Checkbox>
        <small aria-label={t('permission.ticked', { count, all: all.length })}>
          {count} / {all.length}
        </small>
      </div>
      <div className={styles.codes}>
        {codes.map((code) => {
          const hint = words.hint(code)
          return (
            <Checkbox
              key={code}
              checked={set.has(code)}
              disabled={readOnly || isHeld(code, set)}
              onChange={({ target }) => tick([code], target.checked)}
            >
              <span className={styles.code} title={code}>
                {words.code(code)}
                {hint && <small>{hint}</small>}
              </span>
            </Checkbox>
          )
        })}
      </div>
    </section>
  )
}
