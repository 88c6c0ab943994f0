/** The entry of the menu that opens another system. */
import { Button, Form, Input } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_MAX } from '@gatehouse/contract'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { useRead } from '../../../api/query.ts'
import { useContractForm } from '../../../kit/form/useContractForm.ts'
import { Part } from './Part.tsx'

interface Values {
  address: string
  secret: string
}

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
