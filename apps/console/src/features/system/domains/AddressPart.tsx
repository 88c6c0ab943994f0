/** The IP address or host name under which terminals and links reach the installation. */
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import { Refusal, sentenceOf, sentenceOfIssue } from '../../../api/refusal.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { Part } from './Part.tsx'
import styles from '../system.module.css'

export function AddressPart() {
  const { t } = useTranslation('system')
  const details = useRead(installationCalls.details, {})
  return (
    <Part title={t('domains.address.title')} words={t('domains.address.words')}>
      <DetailPage query={details}>{({ ip, address }) => <AddressForm key={ip} ip={ip} address={address} />}</DetailPage>
    </Part>
  )
}

function AddressForm({ ip, address }: { ip: string; address: string | null }) {
  const { t } = useTranslation('system')
  const [typed, setTyped] = useState(ip)
  const [failure, setFailure] = useState('')
  const save = useWrite(installationCalls.saveIpAddress, { done: t('domains.address.saved'), errors: 'inline' })
  const submit = async (): Promise<void> => {
    setFailure('')
    try {
      const { ip: stored } = await save.send({ query: { ip: typed } })
      setTyped(stored)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // The password was asked for, and was not typed.
      if (error.cancelled) return
      setFailure(error.fields[0] ? sentenceOfIssue(error.fields[0]) : sentenceOf(error))
    }
  }
  return (
    <Form layout="vertical" onFinish={() => void submit()}>
      <Form.Item
        label={t('domains.address.label')}
        htmlFor="installation-address"
        {...(failure && { validateStatus: 'error' as const, help: failure })}
        extra={
          <span className={styles.address}>
            {address === null ? (
              t('domains.address.none')
            ) : (
              <>
                {t('domains.address.links')} <code>{address}</code>
              </>
            )}
          </span>
        }
      >
        <div className={styles.line}>
          <Input
            id="installation-address"
            value={typed}
            maxLength={255}
            placeholder="192.168.1.20"
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="primary" htmlType="submit" loading={save.pending} disabled={typed.trim() === '' || typed.trim() === ip}>
            {t('domains.address.save')}
          </Button>
        </div>
      </Form.Item>
    </Form>
  )
}
