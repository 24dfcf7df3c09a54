// SPDX-License-Identifier: Apache-2.0
declare module '*.mlir' {
  const text: string;
  export default text;
}
declare module '*.fx' {
  const text: string;
  export default text;
}
