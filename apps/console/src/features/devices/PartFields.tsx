/** Fields that only some types of device have: network address, gate, passwords. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, Input, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { DIGITAL_CODE_MAX, DIGITAL_CODE_MIN, LOCK_MACS, PASSCODE_MAX, PASSCODE_MIN } from '@gatehouse/contract'
import { accessType } from '@gatehouse/contract/enums/access'
import { deviceChannelCount, deviceType } from '@gatehouse/contract/enums/devices'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { hasPart, type DeviceValues } from './deviceValues.ts'
import styles from './devices.module.css'

/** Which secrets are stored for a device. */
export interface SecretsSet {
  hasPassword: boolean
  hasDevicePassword: boolean
}

/** Maximum number of characters of the device's own password. */
const PASSWORD_MAX = 64

export function PartFields({ hasPassword, hasDevicePassword }: SecretsSet) {
  const { t } = useTranslation('devices')
  const optionsOf = useEnumOptions()
  const type = Form.useWatch('type', Form.useFormInstance<DeviceValues>())
  const isRecorder = type === deviceType.nvr
  return (
    <>
      {hasPart(type, 'network') && (
        <>
          <Form.Item name="ip" label={t('ip')} required={isRecorder}>
            <Input maxLength={64} autoComplete="off" spellCheck={false} />
          </Form.Item>
          <Form.Item name="port" label={t('port')} required={isRecorder}>
            <Input maxLength={5} inputMode="numeric" autoComplete="off" />
          </Form.Item>
          <Form.Item name="userName" label={t('userName')} required={isRecorder}>
            <Input maxLength={64} autoComplete="off" />
          </Form.Item>
          <Form.Item name="password" label={t('password')} required={isRecorder && !hasPassword}>
            <SecretField set={hasPassword} maxLength={PASSWORD_MAX} hint="" />
          </Form.Item>
        </>
      )}
      {hasPart(type, 'channels') && (
        <Form.Item name="channelCount" label={t('channelCount')}>
          <Select options={optionsOf(deviceChannelCount)} placeholder={optionsOf(deviceChannelCount)[0]?.label} />
        </Form.Item>
      )}
      {hasPart(type, 'door') && (
        <>
          <Form.Item name="accessType" label={t('accessType')} normalize={(value: number | undefined) => value ?? null}>
            <Select allowClear options={optionsOf(accessType)} placeholder={t('anyAccessType')} />
          </Form.Item>
          <Form.Item name="relayMac" label={t('relayMac')}>
            <Input maxLength={17} autoComplete="off" spellCheck={false} placeholder="00:1A:2B:3C:4D:5E" />
          </Form.Item>
        </>
      )}
      {hasPart(type, 'passcode') && (
        <Form.Item name="devicePassword" label={t('devicePassword')} extra={t('devicePasswordHint')}>
          <SecretField
            set={hasDevicePassword}
            maxLength={PASSCODE_MAX}
            digits
            hint={t('digitsHint', { min: PASSCODE_MIN, max: PASSCODE_MAX })}
          />
        </Form.Item>
      )}
      {hasPart(type, 'intercom') && (
        <>
          <Form.Item name="digitalCode" label={t('digitalCode')} extra={t('digitalCodeHint')}>
            <Input
              maxLength={DIGITAL_CODE_MAX}
              inputMode="numeric"
              autoComplete="off"
              placeholder={t('digitsHint', { min: DIGITAL_CODE_MIN, max: DIGITAL_CODE_MAX })}
            />
          </Form.Item>
          <Form.Item name="openDoorConfirm" label={t('openDoorConfirm')} extra={t('openDoorConfirmHint')} valuePropName="checked">
            <Switch />
          </Form.Item>
        </>
      )}
      {hasPart(type, 'video') && (
        <Form.Item name="supportsVideo" label={t('supportsVideo')} valuePropName="checked">
          <Switch />
        </Form.Item>
      )}
      {hasPart(type, 'door') && <LockMacs />}
    </>
  )
}

function LockMacs() {
  const { t } = useTranslation('devices')
  return (
    <fieldset className={styles.wide}>
      <legend>{t('lockMacs')}</legend>
      <Form.List name="lockMacs">
        {(fields, { add, remove }) => (
          <>
            {fields.map(({ key, name }) => (
              <div key={key} className={styles.withButton}>
                <Form.Item name={name}>
                  <Input
                    maxLength={17}
                    autoComplete="off"
                    spellCheck={false}
                    aria-label={t('lockMac', { number: name + 1 })}
                    placeholder="00:1A:2B:3C:4D:5E"
                  />
                </Form.Item>
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={t('removeLockMac', { number: name + 1 })}
                  onClick={() => remove(name)}
                />
              </div>
            ))}
            <Button type="dashed" size="small" icon={<PlusOutlined />} disabled={fields.length >= LOCK_MACS} onClick={() => add('')}>
              {t('addLockMac')}
            </Button>
            <small className={styles.hint}>{t('lockMacsHint', { limit: LOCK_MACS })}</small>
          </>
        )}
      </Form.List>
    </fieldset>
  )
}

interface SecretFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string
  onChange?: (text: string | undefined) => void
  /** Whether a secret is stored. */
  set: boolean
  maxLength: number
  /** Placeholder where no secret is stored. */
  hint: string
  digits?: boolean
}

/** A secret, which is never shown. The value undefined keeps the stored one, an empty one removes it. */
function SecretField({ id, value, onChange, set, maxLength, hint, digits }: SecretFieldProps) {
  const { t } = useTranslation('devices')
  const removed = set && value === ''
  return (
    <div className={styles.withButton}>
      <Input.Password
        {...(id && { id })}
        value={value ?? ''}
        maxLength={maxLength}
        {...(digits && { inputMode: 'numeric' as const })}
        autoComplete="new-password"
        placeholder={removed ? t('secret.removed') : set ? t('secret.set') : hint}
        onChange={({ target }) => onChange?.(target.value || undefined)}
      />
      {set && <Button onClick={() => onChange?.(removed ? undefined : '')}>{removed ? t('secret.keep') : t('secret.remove')}</Button>}
    </div>
  )
}
