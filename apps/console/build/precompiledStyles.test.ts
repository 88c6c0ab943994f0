import { expect, test } from 'vitest'
import { withoutUnused } from './precompiledStyles.ts'

test('rules of unused components and of the stock theme go, shared and foreign ones stay', () => {
  const kept = [
    '.ant-btn{color:red}',
    '.ant-btn,.ant-card{a:b}',
    '@media (width<9px){.ant-table{a:b}}',
    '@keyframes x{0%{a:b}100%{a:c}}',
    '.ant-column{a:b}',
  ]
  const gone = [
    '.ant-card{a:b}',
    '.ant-card .ant-btn{a:b}',
    '.css-var-1{--a:b}',
    '@media (width<9px){.ant-col-sm-3{a:b}.ant-col-sm-4{a:b}}',
    '.ant-upload:hover{a:b}',
  ]
  expect(withoutUnused([...kept, ...gone].join(''))).toBe(kept.join(''))
})
