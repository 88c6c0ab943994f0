/** Applies to another park by its code, and says whom it is about. */
import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { PARK_AUTH_CODE_LENGTH } from '@gatehouse/contract'
import { areaCalls, verificationCode } from '@gatehouse/contract/organisation/areas'
import { relationCalls, type ParkRelation } from '@gatehouse/contract/relations/calls'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { useRead } from '../../api/query.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { SharedPeople } from './SharedPeople.tsx'

/** What a QR link says of the park it is of. */
export interface OtherPark {
  code: string
  expires: number
  sign: string
}

/** Says whose code it is once it is whole. */
function Whose({ brought }: { brought: OtherPark | undefined }) {
  const { t } = useTranslation('relations')
  const code = String(Form.useWatch('authorisationCode') ?? '').toUpperCase()
  const link = brought !== undefined && brought.code === code && { expires: brought.expires, sign: brought.sign }
  const found = useRead(areaCalls.byVerificationCode, { query: { code, ...link } }, { enabled: verificationCode.safeParse(code).success })
  return <>{found.data ? t('codeOf', { park: found.data.parkName, company: found.data.companyName }) : t('codeHint')}</>
}

export default function ApplyDialog({ editor, brought }: { editor: Editor<ParkRelation>; brought: OtherPark | undefined }) {
  const { t } = useTranslation('relations')
  return (
    <FormDialog
      call={relationCalls.apply}
      editor={editor}
      title={t('apply')}
      submit={t('sendApplication')}
      initial={ready({ authorisationCode: brought?.code ?? '', remark: '', personIds: [], personGroupIds: [] })}
      done={t('applied')}
      draft="relation.add"
    >
      <Form.Item
        name="authorisationCode"
        label={t('code')}
        required
        extra={<Whose brought={brought} />}
        normalize={(value: string) => value.toUpperCase()}
      >
        <Input maxLength={PARK_AUTH_CODE_LENGTH} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <SharedPeople />
      <Form.Item name="remark" label={t('remark')}>
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  )
}
