/** The parts of the page of addresses and domains. */
import { Button, Form, Input, Switch } from 'antd'
import { useState, useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { TEXT_MAX } from '@gatehouse/contract'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import { Refusal, sentenceOf, sentenceOfIssue } from '../../../api/refusal.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { useContractForm } from '../../../kit/form/useContractForm.ts'
import styles from '../system.module.css'

/** The IP address or host name under which terminals and links reach the installation. */
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
      // The user was asked for the password and cancelled.
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

/** The switch that marks the installation on the home page as a demonstration for a tender. */
export function TenderPart() {
  const { t } = useTranslation('system')
  const bid = useRead(installationCalls.bidInfo, {})
  const set = useWrite(installationCalls.setBid)
  return (
    <Part title={t('tender.title')} words={t('tender.words')}>
      <DetailPage query={bid}>
        {({ value }) => (
          <div className={styles.switchLine}>
            <Switch
              checked={value === 1}
              loading={set.pending}
              aria-label={t('tender.switch')}
              onChange={(on) => set.run({ query: { value: on ? 1 : 0 } })}
            />
            <span>{value === 1 ? t('tender.on') : t('tender.off')}</span>
          </div>
        )}
      </DetailPage>
    </Part>
  )
}

interface Values {
  address: string
  secret: string
}

/** The entry of the menu that opens another system. */
export function ThirdPart() {
  const { t } = useTranslation('system')
  const config = useRead(installationCalls.thirdConfig, {})
  return (
    <Part title={t('domains.third.title')} words={t('domains.third.words')}>
      <DetailPage query={config}>
        {({ address, secretsSet, version }) => (
          <ThirdForm key={version} address={address} hasSecret={secretsSet.length > 0} version={version} />
        )}
      </DetailPage>
    </Part>
  )
}

function ThirdForm({ address, hasSecret, version }: { address: string; hasSecret: boolean; version: number }) {
  const { t } = useTranslation('system')
  const id = useId()
  const contract = useContractForm<typeof installationCalls.changeThirdConfig, Values>({
    call: installationCalls.changeThirdConfig,
    hidden: { version },
    draft: 'system.third',
    done: t('domains.third.saved'),
    onDone: () => {},
  })
  return (
    <>
      <FormBody id={id} initial={ready({ address, secret: '' })} contract={contract}>
        <Form.Item name="address" htmlFor="third-address" label={t('domains.third.address')} extra={t('domains.third.addressExtra')}>
          <Input id="third-address" maxLength={500} placeholder="https://monitor.example.org/login" />
        </Form.Item>
        <Form.Item name="secret" htmlFor="third-secret" label={t('domains.third.secret')} extra={t('domains.third.secretExtra')}>
          <Input.Password
            id="third-secret"
            maxLength={TEXT_MAX}
            autoComplete="new-password"
            placeholder={hasSecret ? t('domains.third.secretSet') : ''}
          />
        </Form.Item>
      </FormBody>
      <Button type="primary" htmlType="submit" form={id} loading={contract.pending} disabled={!contract.dirty && !contract.restored}>
        {t('common:save')}
      </Button>
    </>
  )
}

/**
 * A part of the page: its purpose on the left, its fields on the right.
 * @param wide takes the whole width, as a list does
 */
export function Part({ title, words, wide = false, children }: { title: string; words: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={styles.part} data-wide={wide || undefined} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{words}</p>
      </header>
      <div className={wide ? styles.wide : undefined}>{children}</div>
    </section>
  )
}
