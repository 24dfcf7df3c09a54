// SPDX-License-Identifier: Apache-2.0
// For the linker: what instance.mjs gives to the module beside the C library's own.
mergeInto(LibraryManager.library, { web_bring: function () {}, web_send: function () {} });
