/** The settings of visits in a park, in groups, saved together. */
import { Checkbox, Form, Input, InputNumber, Segmented, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { SIGN_IN_LEAD_MAX, SIGN_IN_LEAD_MIN, TEXT_MAX, VISITOR_DAYS_MAX, VISITOR_DAYS_MIN } from '@gatehouse/contract'
import { cardNumberFormat } from '@gatehouse/contract/enums/people'
import { visitReason } from '@gatehouse/contract/enums/visitors'
import { visitorConfigurationCalls, type VisitorConfiguration } from '@gatehouse/contract/visitors/configuration'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { Setting } from '../../../kit/form/Setting.tsx'
import { SettingsForm } from '../../../kit/form/SettingsForm.tsx'
import { DoorsField } from '../../../shared/DoorsField.tsx'
import { CoordinatesField } from './CoordinatesField.tsx'
import { SignOffTimeField } from './SignOffTimeField.tsx'

type Values = Omit<VisitorConfiguration, 'version'>

export function ConfigurationForm({ settings }: { settings: VisitorConfiguration }) {
  const { t } = useTranslation('visitors')
  return (
    <SettingsForm
      read={visitorConfigurationCalls.read}
      save={visitorConfigurationCalls.change}
      settings={settings}
      draft="visitorConfiguration"
      texts={{ save: t('common:save'), discard: t('settings.discard'), unsaved: t('settings.unsaved'), done: t('saved') }}
    >
      <Registration />
      <Review />
      <Authorisation />
      <SignOff />
      <VisitorMachines />
      <Place />
    </SettingsForm>
  )
}

/** A setting that is on or off. */
function SwitchItem({ name }: { name: keyof Values & string }) {
  const { t } = useTranslation('visitors')
  return (
    <Form.Item name={name} label={t(`settings.${name}`)} valuePropName="checked" extra={t(`settings.${name}Words`)}>
      <Switch />
    </Form.Item>
  )
}

function Registration() {
  const { t } = useTranslation('visitors')
  const optionsOf = useEnumOptions()
  return (
    <Setting title={t('settings.registration')} words={t('settings.registrationWords')}>
      <SwitchItem name="intervieweeRequired" />
      <SwitchItem name="certificateRequired" />
      <Form.Item name="visitReasons" label={t('settings.visitReasons')} required extra={t('settings.visitReasonsWords')}>
        <ReasonsField options={optionsOf(visitReason)} />
      </Form.Item>
      <Form.Item name="defaultValidDays" label={t('settings.defaultValidDays')} extra={t('settings.defaultValidDaysWords')}>
        <InputNumber min={VISITOR_DAYS_MIN} max={VISITOR_DAYS_MAX} precision={0} suffix={t('daysUnit')} style={{ width: 160 }} />
      </Form.Item>
    </Setting>
  )
}

interface ReasonsFieldProps {
  /** Given by `<Form.Item>`; other properties it gives, such as aria-required, are not allowed on a group. */
  id?: string
  value?: number[]
  onChange?: (reasons: number[]) => void
  options: { value: number | string; label: string }[]
}

function ReasonsField({ id, value = [], onChange, options }: ReasonsFieldProps) {
  return (
    <Checkbox.Group<number | string>
      {...(id && { id })}
      value={value}
      options={options}
      onChange={(chosen) => onChange?.(chosen.map(Number))}
    />
  )
}

function Review() {
  const { t } = useTranslation('visitors')
  return (
    <Setting title={t('settings.review')} words={t('settings.reviewWords')}>
      <SwitchItem name="approvalSwitch" />
      <SwitchItem name="hostConfirms" />
    </Setting>
  )
}

function Authorisation() {
  const { t } = useTranslation('visitors')
  const optionsOf = useEnumOptions()
  return (
    <Setting title={t('settings.pass')} words={t('settings.passWords')}>
      <SwitchItem name="needAuthorisation" />
      <Form.Item name="signInLeadMinutes" label={t('settings.signInLeadMinutes')} extra={t('settings.signInLeadMinutesWords')}>
        <InputNumber min={SIGN_IN_LEAD_MIN} max={SIGN_IN_LEAD_MAX} precision={0} suffix={t('settings.minutes')} style={{ width: 160 }} />
      </Form.Item>
      <SwitchItem name="forcedCardIssue" />
      <Form.Item name="cardFormat" label={t('settings.cardFormat')} extra={t('settings.cardFormatWords')}>
        <Segmented aria-label={t('settings.cardFormat')} options={optionsOf(cardNumberFormat)} />
      </Form.Item>
      <SwitchItem name="qrOneUse" />
    </Setting>
  )
}

function SignOff() {
  const { t } = useTranslation('visitors')
  return (
    <Setting title={t('settings.signOff')} words={t('settings.signOffWords')}>
      <SwitchItem name="openSignOff" />
      <Form.Item name="autoSignOffAtDevices" label={t('settings.autoSignOffAtDevices')} extra={t('settings.autoSignOffAtDevicesWords')}>
        <DoorsField placeholder={t('settings.chooseDevices')} />
      </Form.Item>
      <Form.Item name="expiredAutoSignOffTime" label={t('settings.expiredAutoSignOffTime')} extra={t('settings.expiredWords')}>
        <SignOffTimeField />
      </Form.Item>
    </Setting>
  )
}

/** Devices at which visitors sign themselves in and off. */
function VisitorMachines() {
  const { t } = useTranslation('visitors')
  return (
    <Setting title={t('settings.machines')} words={t('settings.machinesWords')}>
      <Form.Item name="visitorMachines" label={t('settings.visitorMachines')} extra={t('settings.visitorMachinesWords')}>
        <DoorsField placeholder={t('settings.chooseDevices')} />
      </Form.Item>
      <SwitchItem name="visitorMachinesPrint" />
    </Setting>
  )
}

/** Where visitors come to. */
function Place() {
  const { t } = useTranslation('visitors')
  return (
    <Setting title={t('settings.place')} words={t('settings.placeWords')}>
      <Form.Item name="companyName" label={t('settings.companyName')}>
        <Input maxLength={TEXT_MAX} autoComplete="off" />
      </Form.Item>
      <Form.Item name="address" label={t('settings.address')}>
        <Input maxLength={TEXT_MAX} autoComplete="off" />
      </Form.Item>
      <Form.Item name="coordinates" label={t('settings.coordinates')} extra={t('settings.coordinatesWords')}>
        <CoordinatesField />
      </Form.Item>
    </Setting>
  )
}
