/** One group of settings with its own call: its purpose on the left, its fields and the unsaved changes on the right. */
import { useQueryClient } from '@tanstack/react-query'
import { Button, Switch } from 'antd'
import { useEffect, useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '@gatehouse/contract'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import type { AnswerOf, AnyCall } from '../../../api/http.ts'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import { readOptions, useRead } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { useContractForm } from '../../../kit/form/useContractForm.ts'
import styles from '../organisation.module.css'

interface SettingGroupProps<Read extends AnyCall, Save extends AnyCall> {
  /** Key of its texts, `settings.<name>.title` and `.words`, and of its draft. */
  name: string
  read: Read
  save: Save
  /** Fields that are never kept in a draft, such as a password. */
  unkept?: readonly string[]
  onSaved?: () => void
  children: ReactNode | ((found: AnswerOf<Read>) => ReactNode)
}

export function SettingGroup<Read extends AnyCall, Save extends AnyCall>({
  name,
  read,
  save,
  unkept = [],
  onSaved,
  children,
}: SettingGroupProps<Read, Save>) {
  const { t } = useTranslation('organisation')
  const id = useId()
  const cache = useQueryClient()
  const park = useSession((session) => session.park?.areaCode ?? '')
  const found = useRead(read, {} as never)
  const values = found.data as (object & { version: number }) | undefined
  const contract = useContractForm<Save, object>({
    call: save,
    draft: `settings.${name}.${park}`,
    done: t('settings.saved'),
    onDone: saved,
    unkept,
  })
  const { form, dirty, restored, pending, discard } = contract
  function saved(): void {
    // Shown at once: until the next read the former values would reappear for a moment, with the former version.
    const typed = form.getFieldsValue(true) as { version: number }
    const empty = Object.fromEntries(unkept.map((field) => [field, '']))
    cache.setQueryData(readOptions<AnyCall>(read, {}).queryKey, (before) => ({
      ...(before as object),
      ...typed,
      ...empty,
      version: typed.version + 1,
    }))
    onSaved?.()
  }
  const unsaved = dirty || restored
  // Values of another user are shown unless they would overwrite what is being typed; the version stays with its values.
  useEffect(() => {
    if (values && !unsaved) form.setFieldsValue(values)
  }, [form, values, unsaved])
  const startOver = async (): Promise<void> => {
    const { data } = await found.refetch()
    discard()
    form.setFieldsValue((data ?? {}) as object)
  }
  return (
    <section className={styles.group} aria-label={t(`settings.${name}.title`)}>
      <header>
        <h2>{t(`settings.${name}.title`)}</h2>
        <p>{t(`settings.${name}.words`)}</p>
      </header>
      <div>
        <FormBody id={id} initial={loadedFrom(found, (data) => data as InputOf<Save['body']> & object)} contract={contract}>
          {typeof children === 'function' ? found.data !== undefined && children(found.data) : children}
        </FormBody>
        <div className={styles.groupFoot}>
          <Button type="primary" htmlType="submit" form={id} loading={pending} disabled={!unsaved}>
            {t('common:save')}
          </Button>
          {unsaved && <Button onClick={() => void startOver()}>{t('settings.discard')}</Button>}
          <span role="status">{unsaved && t('settings.unsaved')}</span>
        </div>
      </div>
    </section>
  )
}

interface FlagFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: 0 | 1
  onChange?: (value: 0 | 1) => void
}

/** A switch for a value that is 1 or 0 on the wire. */
export function FlagField({ id, value = 0, onChange }: FlagFieldProps) {
  return <Switch {...(id && { id })} checked={value === 1} onChange={(on) => onChange?.(on ? 1 : 0)} />
}
