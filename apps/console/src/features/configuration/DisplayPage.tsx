/** /deviceConfigDisplay: which fields of a passing person the terminals of the park show. */
import { useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Form } from 'antd'
import { useEffect, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { configurationCalls, type DisplayConfig } from '@gatehouse/contract/configuration/calls'
import { DISPLAY_FIELDS } from '@gatehouse/contract/configuration/settings'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { FormBody } from '../../kit/form/FormBody.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { readOptions, useRead } from '../../api/query.ts'
import { useMeasures, useSession } from '../../api/session.ts'
import { useContractForm } from '../../kit/form/useContractForm.ts'
import { ConfigScreen } from './ConfigScreen.tsx'
import styles from './configuration.module.css'

export default function DisplayPage() {
  const { t } = useTranslation('configuration')
  const display = useRead(configurationCalls.display, {})
  return (
    <ConfigScreen tab="deviceConfigDisplay">
      <p className={styles.words}>{t('display.words')}</p>
      <DetailPage query={display}>{(found) => <DisplayForm display={found} />}</DetailPage>
    </ConfigScreen>
  )
}

type Values = Pick<DisplayConfig, 'displayFields'>

function DisplayForm({ display }: { display: DisplayConfig }) {
  const { t } = useTranslation('configuration')
  const id = useId()
  const cache = useQueryClient()
  const area = useSession((session) => session.park?.areaCode ?? '')
  const initial = useMemo((): Values => ({ displayFields: display.displayFields }), [display])
  const contract = useContractForm<typeof configurationCalls.changeDisplay, Values>({
    call: configurationCalls.changeDisplay,
    hidden: { version: display.version },
    draft: `deviceDisplay.${area}`,
    done: t('display.saved'),
    onDone: (saved) => cache.setQueryData(readOptions(configurationCalls.display, {}).queryKey, saved),
  })
  const { form, dirty, restored, pending, discard } = contract
  const unsaved = dirty || restored
  useEffect(() => {
    if (!unsaved) form.resetFields()
  }, [form, initial, unsaved])
  const { temperature } = useMeasures()
  // A field that no sensor fills is not offered, but stays in what is saved.
  const offered = DISPLAY_FIELDS.filter((field) => field !== 'temperature' || temperature)
  const shown = Form.useWatch('displayFields', form) ?? display.displayFields
  return (
    <div className={styles.form}>
      <FormBody id={id} initial={ready(initial)} contract={contract}>
        <div className={styles.display}>
          <Form.Item name="displayFields" label={t('display.fields')}>
            <Checkbox.Group
              className={styles.checks ?? ''}
              options={offered.map((value) => ({ value, label: t(`display.field.${value}`) }))}
            />
          </Form.Item>
          <figure className={styles.sample} aria-label={t('display.sample')}>
            {shown.includes('photo') && <i aria-hidden="true">{t('display.example.name').slice(0, 1)}</i>}
            {offered
              .filter((field) => field !== 'photo' && shown.includes(field))
              .map((field) => (
                <span key={field} data-field={field}>
                  {t(`display.example.${field}`)}
                </span>
              ))}
            <b>{t('display.pass')}</b>
            <figcaption>{t('display.sample')}</figcaption>
          </figure>
        </div>
      </FormBody>
      <div className={styles.foot}>
        <Button type="primary" htmlType="submit" form={id} loading={pending}>
          {t('common:save')}
        </Button>
        <Button disabled={!unsaved} onClick={discard}>
          {t('discard')}
        </Button>
        <span role="status">{unsaved && t('unsaved')}</span>
      </div>
    </div>
  )
}
