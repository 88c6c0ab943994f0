/** Permissions to tick, in a section per module, which can be searched and moved through with the arrow keys. */
import { SearchOutlined } from '@ant-design/icons'
import { Button, Checkbox, Form, Input, Skeleton } from 'antd'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isOpenerNeeded, retick } from './granting.ts'
import { usePermissionWords, type Group } from './permissionWords.ts'
import styles from '../identity.module.css'

interface PermissionTreeProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (codes: string[]) => void
  /** Permissions that may be granted; undefined while they are being read. */
  groups: Group[] | undefined
  /** Shown among the tools. */
  children?: ReactNode
  readOnly?: boolean
}

/** Move from box to box with the arrow keys, as Tab does. */
function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !(event.target instanceof HTMLInputElement) || event.target.type !== 'checkbox') return
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[type="checkbox"]:not(:disabled)')]
  boxes[boxes.indexOf(event.target) + step]?.focus()
  event.preventDefault()
}

export function PermissionTree({ id, value = [], onChange, groups, children, readOnly = false }: PermissionTreeProps) {
  const { t } = useTranslation('identity')
  const words = usePermissionWords()
  const [sought, setSought] = useState('')
  const { errors } = Form.Item.useStatus()
  if (!groups) return <Skeleton active paragraph={{ rows: 8 }} />

  const grantable = groups.flatMap(({ permissions }) => permissions)
  const ticked = value.filter((code) => grantable.includes(code))
  const text = sought.trim().toLowerCase()
  const found = (module: string, code: string): boolean =>
    [words.module(module), words.code(code), words.hint(code), code].some((part) => part.toLowerCase().includes(text))
  const shown = groups
    .map(({ module, permissions }) => ({ module, all: permissions, codes: permissions.filter((code) => found(module, code)) }))
    .filter(({ codes }) => codes.length > 0)
  const tick = (codes: string[], on: boolean): void => onChange?.(retick(value, codes, on, grantable))

  return (
    <div {...(id && { id })} className={styles.permissions} role="group" aria-label={t('permission.title')} tabIndex={-1}>
      <div className={styles.toolbar}>
        <Input
          value={sought}
          onChange={({ target }) => setSought(target.value)}
          // Enter searches and does not save.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          prefix={<SearchOutlined />}
          allowClear
          placeholder={t('permission.find')}
          aria-label={t('permission.find')}
        />
        {/* Above the tree, which is longer than the page. */}
        {errors.length > 0 && <span className={styles.refused}>{errors}</span>}
        <span role="status">{t('permission.ticked', { count: ticked.length, all: grantable.length })}</span>
        {!readOnly && (
          <>
            {children}
            <Button onClick={() => tick(grantable, true)}>{t('permission.all')}</Button>
            <Button disabled={ticked.length === 0} onClick={() => tick(grantable, false)}>
              {t('permission.none')}
            </Button>
          </>
        )}
      </div>
      {shown.length === 0 && (
        <p className={styles.nothing} role="status">
          {t('permission.notFound', { words: sought })}
        </p>
      )}
      <div className={styles.modules} role="presentation" onKeyDown={onArrow}>
        {shown.map(({ module, all, codes }) => (
          <ModuleSection key={module} module={module} all={all} codes={codes} ticked={value} tick={tick} readOnly={readOnly} />
        ))}
      </div>
    </div>
  )
}

interface ModuleSectionProps {
  module: string
  /** All codes of the module that may be granted. */
  all: string[]
  /** Codes that are shown; a search narrows them. */
  codes: string[]
  ticked: string[]
  tick: (codes: string[], on: boolean) => void
  readOnly: boolean
}

/** The permissions of one module: a box for all of them, and one for each. */
function ModuleSection({ module, all, codes, ticked, tick, readOnly }: ModuleSectionProps) {
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
              disabled={readOnly || isOpenerNeeded(code, set)}
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
