/** /privacyPolicy: whether the park demands consent to recognition by face, and how long it keeps persons. */
import { useQueryClient } from '@tanstack/react-query'
import { Form, Radio, Switch, InputNumber } from 'antd'
import TextArea from 'antd/es/input/TextArea'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '@gatehouse/contract'
import { PERSON_KINDS } from '@gatehouse/contract/people/person-fields'
import { privacyCalls, RECORDS_ON_ERASURE, type PrivacyPolicy } from '@gatehouse/contract/privacy/calls'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { FormBody } from '../../kit/form/FormBody.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { Setting } from '../../kit/form/Setting.tsx'
import { SettingsFoot } from '../../kit/form/SettingsFoot.tsx'
import { readOptions, useRead } from '../../api/query.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useSession } from '../../api/session.ts'
import { useContractForm } from '../../kit/form/useContractForm.ts'
import styles from './privacy.module.css'

type Values = Omit<PrivacyPolicy, 'version'>

export default function PolicyPage() {
  const { t } = useTranslation('shell')
  const park = useSession((session) => session.park?.parkName)
  const policy = useRead(privacyCalls.policy, {})
  return (
    <Screen title={t('title.privacyPolicy')} note={park}>
      <DetailPage query={policy}>{({ version, ...values }) => <PolicyForm key={version} values={values} version={version} />}</DetailPage>
    </Screen>
  )
}

function PolicyForm({ values, version }: { values: Values; version: number }) {
  const { t } = useTranslation('privacy')
  const id = useId()
  const cache = useQueryClient()
  const park = useSession((session) => session.park?.areaCode ?? '')
  // A rule that erases customers is shown even where the park no longer keeps customers.
  const keepsCustomers = useSession((session) => session.park?.showCustomerManagerFlag === 1)
  const asksOfCustomers = keepsCustomers || values.retention.customer !== null
  const contract = useContractForm<typeof privacyCalls.changePolicy, Values>({
    call: privacyCalls.changePolicy,
    hidden: { version },
    draft: `privacyPolicy.${park}`,
    done: t('policy.saved'),
    // Shown at once: until the next read the former policy would reappear for a moment.
    onDone: (saved) => cache.setQueryData(readOptions(privacyCalls.policy, {}).queryKey, saved),
  })
  return (
    <div className={styles.page}>
      <p className={styles.words}>{t('policy.words')}</p>
      <FormBody id={id} initial={ready(values)} contract={contract}>
        <Setting title={t('policy.consent.title')} words={t('policy.consent.words')}>
          <Form.Item name="consentRequired" valuePropName="checked" label={t('policy.consent.required')} extra={<ConsentMeaning />}>
            <Switch />
          </Form.Item>
          {LANGUAGES.map((language) => (
            <Form.Item
              key={language}
              name={['consentText', language]}
              label={t('policy.consent.text', { language: t(`language.${language}`) })}
            >
              <TextArea rows={3} maxLength={2000} lang={language} />
            </Form.Item>
          ))}
        </Setting>
        <Setting title={t('policy.records.title')} words={t('policy.records.words')}>
          <Form.Item name="recordsOnErasure" label={t('policy.records.label')}>
            <Radio.Group
              vertical
              options={RECORDS_ON_ERASURE.map((rule) => ({
                value: rule,
                label: (
                  <span className={styles.rule}>
                    {t(`policy.records.${rule}.name`)}
                    <small>{t(`policy.records.${rule}.words`)}</small>
                  </span>
                ),
              }))}
            />
          </Form.Item>
        </Setting>
        <Setting title={t('policy.retention.title')} words={t('policy.retention.words')}>
          {PERSON_KINDS.map((kind) => (
            <Form.Item key={kind} name={['retention', kind]} label={t(`kind.${kind}`)} hidden={kind === 'customer' && !asksOfCustomers}>
              <DaysField
                label={t(`kind.${kind}`)}
                words={t(kind === 'special' ? 'policy.retention.afterChange' : 'policy.retention.afterValidity')}
              />
            </Form.Item>
          ))}
          <Form.Item name={['retention', 'visitor']} label={t('kind.visitor')}>
            <DaysField label={t('kind.visitor')} words={t('policy.retention.afterVisit')} />
          </Form.Item>
        </Setting>
      </FormBody>
      <SettingsFoot
        form={id}
        unsaved={contract.dirty || contract.restored}
        pending={contract.pending}
        texts={{ save: t('common:save'), discard: t('policy.discard'), unsaved: t('policy.unsaved') }}
        discard={contract.discard}
      />
    </div>
  )
}

/** What follows from the present position of the switch. */
function ConsentMeaning() {
  const { t } = useTranslation('privacy')
  const required = Form.useWatch<boolean | undefined>('consentRequired') ?? false
  return t(required ? 'policy.consent.meansRequired' : 'policy.consent.meansNot')
}

/** Days that are offered when the rule is switched on. */
const DAYS = 180
const DAYS_MAX = 3650

interface DaysFieldProps {
  /** The persons who are erased. */
  label: string
  /** What the days count from. */
  words: string
  /** Given by the form. */
  id?: string
  value?: number | null
  onChange?: (days: number | null) => void
}

/** The days after which persons are erased, or never. */
function DaysField({ id, label, words, value = null, onChange }: DaysFieldProps) {
  const { t } = useTranslation('privacy')
  return (
    <div className={styles.days}>
      <Switch
        aria-label={t('policy.retention.erase', { kind: label })}
        checked={value !== null}
        onChange={(on) => onChange?.(on ? DAYS : null)}
      />
      {value === null ? (
        <span id={id}>{t('policy.retention.never')}</span>
      ) : (
        <>
          <InputNumber id={id} min={1} max={DAYS_MAX} precision={0} value={value} onChange={(days) => onChange?.(days ?? 1)} />
          <span>{t('policy.retention.days')}</span>
          <small>{words}</small>
        </>
      )}
    </div>
  )
}
