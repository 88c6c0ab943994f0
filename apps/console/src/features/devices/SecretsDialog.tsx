/** Secrets of devices that were added together, shown once, to copy or save. Without them the dialog says who can make them. */
import { DownloadOutlined } from '@ant-design/icons'
import { Alert, Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../kit/form/CopyField.tsx'
import { saveFile } from '../../api/saveFile.ts'
import { SecretOnce } from '../../kit/form/SecretOnce.tsx'
import type { Pairing } from './PairingDialog.tsx'

export default function SecretsDialog({ pairings, close }: { pairings: Pairing[]; close: () => void }) {
  // A user who may add devices need not be allowed to pair them.
  return pairings.some(({ secret }) => secret === null) ? <Waiting close={close} /> : <Secrets pairings={pairings} close={close} />
}

function Waiting({ close }: { close: () => void }) {
  const { t } = useTranslation('devices')
  return (
    <Modal
      open
      centered
      title={t('batch.added')}
      onCancel={close}
      footer={
        <Button type="primary" onClick={close}>
          {t('pairing.close')}
        </Button>
      }
    >
      <Alert type="info" showIcon title={t('pairing.noSecretMany')} />
    </Modal>
  )
}

function Secrets({ pairings, close }: { pairings: Pairing[]; close: () => void }) {
  const { t } = useTranslation('devices')
  const lines = pairings.map(({ code, secret }) => `${code},${secret}`)
  // Plain text: a spreadsheet would read a secret that begins with a dash as a formula.
  const save = (): void => saveFile({ blob: new Blob([lines.join('\r\n'), '\r\n'], { type: 'text/plain' }), name: t('batch.file') })
  return (
    <SecretOnce title={t('batch.secrets', { count: pairings.length })} words={t('batch.lost')} values={[]} close={close}>
      <CopyField name={t('batch.codesAndSecrets')} value={lines.join('\n')} as="code" />
      <Button icon={<DownloadOutlined />} onClick={save}>
        {t('batch.download')}
      </Button>
    </SecretOnce>
  )
}
