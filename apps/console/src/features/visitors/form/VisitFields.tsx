/** The fields of a visit, named as in the write calls: the photo first. */
import { Checkbox, Form, Input, InputNumber, Radio, Segmented, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import {
  PERSON_NAME_MAX,
  PHONE_MAX,
  TEXT_MAX,
  USER_TEXT_MAX,
  VISITOR_DAYS_MAX,
  VISITOR_DAYS_MIN,
  VISIT_SPAN_MAX,
  type Language,
} from '@gatehouse/contract'
import { visitorSource, visitReason } from '@gatehouse/contract/enums/visitors'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { visitorConfigurationCalls, type VisitorConfiguration } from '@gatehouse/contract/visitors/configuration'
import { VISITOR_NUMBER_MAX } from '@gatehouse/contract/visitors/fields'
import { useRead } from '../../../api/query.ts'
import { useEnumLabel, useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { InstantField } from '../../../kit/form/InstantField.tsx'
import { formatDate, useZoneOffset } from '../../../kit/time.ts'
import { useVisitorGroups } from '../visitorGroups.ts'
import { CertificateField } from './CertificateField.tsx'
import { HostField } from './HostField.tsx'
import { OwnFields } from './OwnFields.tsx'
import { PassFields } from './PassFields.tsx'
import { PeerFields } from './PeerFields.tsx'
import { VisitorPhotoField } from './VisitorPhotoField.tsx'
import { lastMoment, type VisitKind, type VisitValues } from './visitValues.ts'
import styles from './form.module.css'

interface VisitFieldsProps {
  kind: VisitKind
  /** Whether the visit is being made: then it has a source to choose. */
  isNew: boolean
  /** Whether the visitor has agreed to face recognition already. */
  isConsentGiven?: boolean
}

export function VisitFields({ kind, isNew, isConsentGiven = false }: VisitFieldsProps) {
  const { t } = useTranslation('visitors')
  const optionsOf = useEnumOptions()
  const configuration = useRead(visitorConfigurationCalls.read, {}).data
  return (
    <>
      {isNew && (
        <Form.Item name="source" label={t('sourceQuestion')} extra={<SourceMeaning configuration={configuration} />}>
          <Segmented aria-label={t('sourceQuestion')} options={optionsOf(visitorSource).toReversed()} />
        </Form.Item>
      )}
      <h2 className={styles.part}>{t('visitor')}</h2>
      <Identity configuration={configuration} isConsentGiven={isConsentGiven} />
      <h2 className={styles.part}>{t('part.visit')}</h2>
      <VisitTimes kind={kind} configuration={configuration} />
      <OwnFields />
      <h2 className={styles.part}>{t('companions')}</h2>
      <PeerFields />
      <h2 className={styles.part}>{t('part.pass')}</h2>
      <PassFields configuration={configuration} />
      <Form.Item name="remark" label={t('remark')}>
        <Input.TextArea maxLength={TEXT_MAX} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </>
  )
}

/** What becomes of the visit by the chosen source. */
function SourceMeaning({ configuration }: { configuration: VisitorConfiguration | undefined }) {
  const { t } = useTranslation('visitors')
  const source = Form.useWatch<number | undefined>('source')
  if (source === visitorSource.temporary) return t('sourceMeans.temporary')
  if (source === visitorSource.invitation) return t('sourceMeans.invitation')
  if (configuration?.approvalSwitch === true) return t('sourceMeans.reviewed')
  return t(configuration?.hostConfirms === true ? 'sourceMeans.confirmed' : 'sourceMeans.reservation')
}

/** Who the visitor is. */
function Identity({ configuration, isConsentGiven }: { configuration: VisitorConfiguration | undefined; isConsentGiven: boolean }) {
  const { t } = useTranslation('visitors')
  const isAtDesk = Form.useWatch<number | undefined>('source') === visitorSource.temporary
  return (
    <>
      <div className={styles.withPhoto}>
        <Form.Item name="facePhoto" label={t('photo')}>
          <VisitorPhotoField />
        </Form.Item>
        <div>
          <Form.Item name="name" label={t('name')} required>
            <Input maxLength={PERSON_NAME_MAX} autoComplete="off" />
          </Form.Item>
          <Form.Item name="phone" label={t('phone')} required>
            <Input maxLength={PHONE_MAX} autoComplete="off" inputMode="tel" />
          </Form.Item>
          <Form.Item name="email" label={t('email')} extra={t('emailHint')}>
            <Input maxLength={USER_TEXT_MAX} autoComplete="off" inputMode="email" />
          </Form.Item>
          <Form.Item name="certificateInfo" label={t('certificate')} required={configuration?.certificateRequired === true && isAtDesk}>
            <CertificateField />
          </Form.Item>
        </div>
      </div>
      {!isConsentGiven && <Consent />}
    </>
  )
}

/** The consent of the visitor to face recognition, with the words of the park. */
function Consent() {
  const { t, i18n } = useTranslation('visitors')
  const policy = useRead(privacyCalls.policy, {}).data
  const hasPhoto = Boolean(Form.useWatch<string | null | undefined>('facePhoto'))
  const words = policy?.consentText[i18n.language as Language] ?? ''
  return (
    <Form.Item name="faceConsent" valuePropName="checked" {...(words !== '' && { extra: words })}>
      <Checkbox>{t(policy?.consentRequired === true && hasPhoto ? 'consentTickRequired' : 'consentTick')}</Checkbox>
    </Form.Item>
  )
}

/** Whom the visitor comes to see, why, when and with how many. */
function VisitTimes({ kind, configuration }: { kind: VisitKind; configuration: VisitorConfiguration | undefined }) {
  const { t } = useTranslation('visitors')
  const label = useEnumLabel()
  const form = Form.useFormInstance<VisitValues>()
  const hostName = Form.useWatch('hostName', { form, preserve: true })
  const companions = Form.useWatch('peers', form)?.length ?? 0
  return (
    <div className={styles.fields}>
      <Form.Item name="intervieweeId" label={t('host')} required={configuration?.intervieweeRequired === true}>
        <HostField placeholder={t('findHost')} name={hostName} onName={(name) => form.setFieldValue('hostName', name)} />
      </Form.Item>
      <Form.Item name="visitorGroupId" label={t('group')}>
        <VisitorGroupField />
      </Form.Item>
      <Form.Item name="reason" label={t('reason')} required className={styles.wholeLine ?? ''}>
        <Radio.Group
          optionType="button"
          options={(configuration?.visitReasons ?? []).map((value) => ({ value, label: label(visitReason, value) }))}
        />
      </Form.Item>
      <Form.Item name="visitTime" label={t('start')} required>
        <InstantField as="time" />
      </Form.Item>
      {kind === 'single' ? (
        <Form.Item name="visitEndTime" label={t('end')} required extra={t('endHint', { count: VISIT_SPAN_MAX })}>
          <InstantField as="time" />
        </Form.Item>
      ) : (
        <Form.Item name="validDays" label={t('validDays')} required extra={<LastDay />}>
          <InputNumber min={VISITOR_DAYS_MIN} max={VISITOR_DAYS_MAX} precision={0} suffix={t('daysUnit')} style={{ width: '100%' }} />
        </Form.Item>
      )}
      <Form.Item name="visitorNumber" label={t('visitorNumber')} extra={t('visitorNumberHint')}>
        <InputNumber min={1} max={VISITOR_NUMBER_MAX} precision={0} placeholder={String(companions + 1)} style={{ width: '100%' }} />
      </Form.Item>
    </div>
  )
}

/** The last day of a regular visitor. */
function LastDay() {
  const { t } = useTranslation('visitors')
  const { offset } = useZoneOffset()
  const form = Form.useFormInstance<VisitValues>()
  const visitTime = Form.useWatch('visitTime', form)
  const validDays = Form.useWatch('validDays', form)
  if (!visitTime || !validDays) return t('validDaysHint')
  return t('lastDay', { date: formatDate(lastMoment(visitTime, validDays, offset), offset) })
}

interface VisitorGroupFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (id: string) => void
}

function VisitorGroupField({ id, value, onChange }: VisitorGroupFieldProps) {
  const { t } = useTranslation('visitors')
  const groups = useVisitorGroups()
  return (
    <TreeSelect
      {...(id && { id })}
      {...(value && { value })}
      onChange={(chosen: string) => onChange?.(chosen)}
      treeData={groups.choices}
      loading={groups.loading}
      treeDefaultExpandAll
      showSearch={{ treeNodeFilterProp: 'title' }}
      placeholder={t('choose')}
      style={{ width: '100%' }}
    />
  )
}
