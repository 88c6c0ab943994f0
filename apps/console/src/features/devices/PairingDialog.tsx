/**
 * Code and secret of a device, shown once, with the command that starts a terminal, and whether the terminal has connected.
 * Without a secret the dialog states which users can make one.
 */
import { LoadingOutlined } from '@ant-design/icons'
import { Alert, Button, Modal, Typography } from 'antd'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { OutputOf } from '@gatehouse/contract'
import { deviceCalls, type addedDevice } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import { deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'
import styles from './devices.module.css'

export type Pairing = OutputOf<typeof addedDevice>

/**
 * Return the command that starts a terminal. The secret is an environment variable: a command line can be read by every user
 * of that machine.
 * @param server address of the server as the terminal reaches it
 */
const terminalCommand = ({ code, secret }: { code: string; secret: string }, server: string): string =>
  `GATEHOUSE_SECRET=${secret} npm run terminal -- --server ${server} --code ${code}`

export default function PairingDialog({ pairing: { id, code, secret }, close }: { pairing: Pairing; close: () => void }) {
  const { t } = useTranslation('devices')
  const { data: device } = useRead(deviceCalls.read, { params: { id } })
  return (
    <Modal
      open
      centered
      width={640}
      title={t('pairing.title', { name: device?.name ?? code })}
      mask={{ closable: false }}
      onCancel={close}
      footer={
        <Button type="primary" onClick={close}>
          {t(secret === null ? 'pairing.close' : 'pairing.done')}
        </Button>
      }
    >
      {secret === null ? (
        <Alert type="info" showIcon title={t('pairing.noSecret')} />
      ) : (
        <>
          <Alert
            type="warning"
            showIcon
            title={
              <>
                <b>{t('pairing.once')}</b> {t('pairing.lost')}
              </>
            }
          />
          <dl className={styles.pairing}>
            <Copied name={t('code')} value={code} />
            <Copied name={t('pairing.secret')} value={secret} />
            <Copied name={t('pairing.command')} value={terminalCommand({ code, secret }, window.location.origin)} />
          </dl>
          <Connection device={device} />
        </>
      )}
      {device?.released === false && <p className={styles.hint}>{t('release.waits')}</p>}
    </Modal>
  )
}

function Connection({ device }: { device: Device | undefined }) {
  const { t } = useTranslation('devices')
  const online = device?.onlineStatus === deviceOnlineStatus.online
  return (
    <p className={styles.waiting} role="status">
      {online ? <EnumTag of={deviceOnlineStatus} value={device.onlineStatus} /> : <LoadingOutlined />}
      {online ? t('pairing.connected') : t('pairing.waiting')}
    </p>
  )
}

function Copied({ name, value }: { name: string; value: string }) {
  const { t } = useTranslation('devices')
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {/* No line breaks within a word of the command. */}
        <code>
          {value.split(' ').map((word, at) => (
            <Fragment key={at}>
              {at > 0 && ' '}
              <span>{word}</span>
            </Fragment>
          ))}
        </code>
        <Typography.Text copyable={{ text: value, tooltips: [t('copyOf', { name }), t('copied')] }} />
      </dd>
    </div>
  )
}
