/** The form of a page of settings: sections, and a footer that shows whether anything is unsaved. */
import { Alert, Button, Form, Input } from 'antd'
import { useEffect, useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { OF_ONE_DEVICE, WIFI_NAME_MAX, WIFI_PASSWORD } from '@gatehouse/contract/configuration/settings'
import { CONSOLE_PASSWORD_MAX } from '@gatehouse/contract'
import { FormBody } from '../../kit/form/FormBody.tsx'
import { ready } from '../../kit/form/loaded.ts'
import type { ContractForm } from '../../kit/form/useContractForm.ts'
import { path } from '../../paths.ts'
import { SettingField } from './SettingField.tsx'
import type { Inherited, SettingValues } from './settingValues.ts'
import { SECTIONS } from './settingFields.ts'
import styles from './configuration.module.css'

interface SettingsFormProps<Values extends SettingValues> {
  contract: ContractForm<Values>
  /** Must stay the same object until other values are to be shown. */
  initial: Values
  inherited: Inherited
  secrets: { consolePassword: SecretSource; wifi: SecretSource }
  oneDevice?: boolean
  /** Type of the device; absent: any. */
  type?: number
  /** What the section of captures shows below its fields. */
  captures?: ReactNode
  /** Fields above the sections. */
  children?: ReactNode
}

export function SettingsForm<Values extends SettingValues>({
  contract,
  initial,
  inherited,
  secrets,
  oneDevice = false,
  type,
  captures,
  children,
}: SettingsFormProps<Values>) {
  const { t } = useTranslation('configuration')
  const id = useId()
  const { form, dirty, restored, pending, discard } = contract
  const unsaved = dirty || restored
  // Values that were saved, here or by another user, are shown unless that would overwrite what is being typed.
  useEffect(() => {
    if (!unsaved) form.resetFields()
  }, [form, initial, unsaved])
  return (
    <div className={styles.form}>
      <FormBody id={id} initial={ready(initial)} contract={contract}>
        {children}
        <SettingSections inherited={inherited} secrets={secrets} oneDevice={oneDevice} type={type} captures={captures} />
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

interface SettingSectionsProps {
  inherited: Inherited
  secrets: { consolePassword: SecretSource; wifi: SecretSource }
  /** Whether these are the settings of one device, which include its network address. */
  oneDevice: boolean
  type: number | undefined
  captures: ReactNode
}

/** All settings of a form in their sections. */
function SettingSections({ inherited, secrets, oneDevice, type, captures }: SettingSectionsProps) {
  const { t } = useTranslation('configuration')
  const form = Form.useFormInstance()
  const unit: unknown = Form.useWatch('temperatureUnit', form)
  const fahrenheit = (unit ?? inherited.values.temperatureUnit) === 'F'
  const setKeeping: unknown = Form.useWatch('captureKeeping', form)
  const keeping = setKeeping ?? inherited.values.captureKeeping
  const ofTemplate: unknown = Form.useWatch('deviceType', form)
  const isOfCameras = (type ?? ofTemplate ?? deviceType.captureCamera) === deviceType.captureCamera
  const shown = (field: string): boolean =>
    (oneDevice || !(OF_ONE_DEVICE as readonly string[]).includes(field)) && (field !== 'captureHours' || keeping === 'hours')
  return (
    <>
      {SECTIONS.filter(({ name }) => name !== 'capture' || isOfCameras).map(({ name, fields }) => (
        <section key={name} className={styles.section} aria-labelledby={`section-${name}`}>
          <header>
            <h2 id={`section-${name}`}>{t(`section.${name}.title`)}</h2>
            <p>{t(`section.${name}.words`)}</p>
            {name === 'recognition' && (
              <p>
                <Link to={path('facePolicy')}>{t('section.recognition.policy')}</Link>
              </p>
            )}
          </header>
          <div>
            <div className={styles.fields}>
              {fields.filter(shown).map((field) => (
                <SettingField key={field} field={field} inherited={inherited} fahrenheit={fahrenheit} />
              ))}
            </div>
            {name === 'capture' && keeping === 'matchedOnly' && (
              <Alert
                type="info"
                showIcon
                title={t('captures.matchedOnly')}
                description={
                  <ul className={styles.consequences}>
                    {(['cut', 'search', 'strangers', 'before'] as const).map((consequence) => (
                      <li key={consequence}>{t(`captures.consequence.${consequence}`)}</li>
                    ))}
                  </ul>
                }
              />
            )}
            {name === 'capture' && captures}
            {name === 'network' && <SecretField name="wifi" source={secrets.wifi} />}
            {name === 'console' && <SecretField name="consolePassword" source={secrets.consolePassword} />}
          </div>
        </section>
      ))}
    </>
  )
}

/** Where the secret in force comes from. */
type SecretSource = 'own' | 'park' | null
type Secret = string | { name: string; password: string } | null | undefined

interface SecretFieldProps {
  name: 'consolePassword' | 'wifi'
  source: SecretSource
}

/** A secret of the form, which is never shown: it can be set, replaced and removed. */
function SecretField(props: SecretFieldProps) {
  const { t } = useTranslation('configuration')
  return (
    <Form.Item name={props.name} label={t(`secret.${props.name}`)}>
      <SecretInput {...props} />
    </Form.Item>
  )
}

interface SecretInputProps extends SecretFieldProps {
  /** Given by `<Form.Item>`: the value undefined keeps the stored secret, null removes it. */
  id?: string
  value?: Secret
  onChange?: (value: Secret) => void
}

function SecretInput({ id, value, onChange, name, source }: SecretInputProps) {
  const { t } = useTranslation('configuration')
  if (value === undefined || value === null) {
    const state = value === null ? 'removed' : (source ?? 'none')
    return (
      <div className={styles.secret}>
        <span role="status">{t(`secret.state.${state}`)}</span>
        {value === null ? (
          <Button onClick={() => onChange?.(undefined)}>{t('secret.keep')}</Button>
        ) : (
          <>
            <Button onClick={() => onChange?.(name === 'wifi' ? { name: '', password: '' } : '')}>
              {t(source === 'own' ? 'secret.change' : 'secret.set')}
            </Button>
            {source === 'own' && (
              <Button type="text" danger onClick={() => onChange?.(null)}>
                {t('secret.remove')}
              </Button>
            )}
          </>
        )}
      </div>
    )
  }
  return (
    <div className={styles.secret}>
      {typeof value === 'string' ? (
        <Input.Password
          {...(id && { id })}
          value={value}
          maxLength={CONSOLE_PASSWORD_MAX}
          autoComplete="new-password"
          placeholder={t('secret.passwordWords')}
          onChange={({ target }) => onChange?.(target.value)}
        />
      ) : (
        <>
          <Input
            {...(id && { id })}
            value={value.name}
            maxLength={WIFI_NAME_MAX}
            autoComplete="off"
            placeholder={t('secret.wifiName')}
            onChange={({ target }) => onChange?.({ ...value, name: target.value })}
          />
          <Input.Password
            value={value.password}
            maxLength={WIFI_PASSWORD[1]}
            autoComplete="new-password"
            aria-label={t('secret.wifiPassword')}
            placeholder={t('secret.wifiPassword')}
            onChange={({ target }) => onChange?.({ ...value, password: target.value })}
          />
        </>
      )}
      <Button onClick={() => onChange?.(undefined)}>{t('secret.keep')}</Button>
    </div>
  )
}
