/** Recovery codes, once: copied or saved as a text file, or lost. */
import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { SecretOnce } from '../../kit/form/SecretOnce.tsx'
import { saveFile } from '../../api/saveFile.ts'
import styles from './account.module.css'

interface RecoveryCodesProps {
  codes: string[]
  account: string
  close: () => void
}

export function RecoveryCodes({ codes, account, close }: RecoveryCodesProps) {
  const { t } = useTranslation('account')
  const lines = codes.join('\n')
  const save = (): void =>
    saveFile({
      blob: new Blob([`${t('recoveryCodes.head', { account })}\n\n${lines}\n`], { type: 'text/plain;charset=utf-8' }),
      name: t('recoveryCodes.file', { account }),
    })
  return (
    <SecretOnce
      title={t('recoveryCodes.title')}
      words={t('recoveryCodes.words')}
      values={[{ name: t('recoveryCodes.name', { account }), value: lines, as: 'code' }]}
      close={close}
    >
      <Button icon={<DownloadOutlined />} onClick={save} className={styles.saveCodes ?? ''}>
        {t('recoveryCodes.download')}
      </Button>
    </SecretOnce>
  )
}
