# SPDX-License-Identifier: Apache-2.0
#
# One file, no configure step: `make help` lists what there is, `make` builds.
#
# Sources are found, not listed: put a .c into its folder and it is part of the build.
#   solver/ -> libshape.a    proto/ -> libproto.a    clients/c/ -> libshape-client.a
#   clients/cli/ -> shape    server/ -> shaped       clients/lsp/ -> shape-lsp
# A program's main.c stays outside; the rest of its folder is an archive too, so that tests can link it.
#
# BUILD=release goes to build/, every other variant to build/<variant>/. ASSERTS=no goes to ndebug/ in there.

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.DEFAULT_GOAL := build

# As many jobs as processors, unless -j says otherwise; one where several goals have an order (`make clean build`).
ifeq ($(MAKELEVEL)$(word 2,$(MAKECMDGOALS)),0)
  MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif

BUILD   ?= release
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
DESTDIR ?=
# Where zsh looks by itself: site-functions, or vendor-completions for packages of Debian.
ZSH_FOLDER ?= site-functions
# Where the units of systemd go, and beside it sysusers.d; empty: they are not installed.
SYSTEMD_DIR ?= $(PREFIX)/lib/systemd/system
FUZZ_SECONDS ?= 30
FUZZ_JOBS ?= 1
FUZZ_SEED ?= 0
ifeq ($(origin CC),default)
  CC := gcc
endif
ifeq ($(origin AR),default)
  AR := ar
endif

# ---------------------------------------------------------------- variants

# A release has the hardening that distributions ask of programs that read untrusted input. CET_* is in config.mk, where
# the target has it; some start files carry no CET note, so the linker is asked for it by name. With BIND_NOW every
# address is there at the start, and -fno-plt saves the jump through the table. MOVE_* is in config.mk where the compiler
# knows it: it clears and copies a struct by a few moves, not by an instruction that takes as long to start. SIZE_*, the
# same: code that runs once is larger than the first cache, and what a compiler links is to be small.
HARDEN_CFLAGS  = -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fPIE \
                 -fno-plt -Wformat -Werror=format-security $(CET_CFLAGS)
FLAGS_release  = -O2 -g -ffunction-sections -fdata-sections -ffile-prefix-map=$(CURDIR)=. $(HARDEN_CFLAGS) \
                 $(MOVE_CFLAGS) $(SIZE_CFLAGS)
LINK_release   = -Wl,-z,relro,-z,now,-z,noexecstack,-z,pack-relative-relocs $(CET_LDFLAGS)
LINK_PROGRAM_release := -pie
FLAGS_debug   := -O0 -g3 -DSHAPE_DEBUG=1
FLAGS_asan    := -O1 -g -DSHAPE_DEBUG=1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# With clang: it knows of offsets to null, too, and of arguments that may not be null.
FLAGS_ubsan   := -O1 -g -DSHAPE_DEBUG=1 -fsanitize=undefined,nullability -fno-sanitize-recover=all
FLAGS_tsan    := -O1 -g -DSHAPE_DEBUG=1 -fsanitize=thread -fno-omit-frame-pointer
# Limbs of 32 bits, as in WebAssembly, on this machine: with a GMP of its own (make limbs32).
FLAGS_limbs32 := -O1 -g -DSHAPE_DEBUG=1 -D__GMP_SHORT_LIMB -Ibuild/limbs32/deps/include
LINK_limbs32  := -Lbuild/limbs32/deps/lib
FLAGS_coverage := -O0 -g --coverage
FLAGS_fuzz    := -O1 -g -DSHAPE_DEBUG=1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
# tests/fuzz/build.sh has sanitizers and an engine from outside, and sets both: FLAGS_fuzz on the command line, and
FUZZ_ENGINE   ?= -fsanitize=fuzzer
ifndef FLAGS_$(BUILD)
  $(error BUILD=$(BUILD) is unknown: release, debug, asan, ubsan, tsan or limbs32 (fuzz is what `make fuzz` uses))
endif

# Invariants are asserts. They stay in what is built to be worked on and tested; what is installed, packaged or measured
# has none.
ASSERTS ?= $(if $(filter install deb release bench bench-mlir bench-load bench-check,$(MAKECMDGOALS)),no,yes)
ifeq ($(filter yes no,$(ASSERTS)),)
  $(error ASSERTS=$(ASSERTS) is unknown: yes or no)
endif
FLAGS_ASSERTS := $(if $(filter no,$(ASSERTS)),-DNDEBUG)
B := build$(if $(filter-out release,$(BUILD)),/$(BUILD))$(if $(filter no,$(ASSERTS)),/ndebug)

# ---------------------------------------------------------------- libraries

# Every wanted library as name:minimum. Optional ones define HAVE_<NAME> where they are found.
LIBS_NEEDED   := libuv:1.44 libcjson:1.7.15 gmp:6.2 zlib:1.2.11
LIBS_TEST     := criterion:2.4
LIBS_OPTIONAL := libssl:3.0 libcrypto:3.0 sqlite3:3.34

GOALS := $(or $(MAKECMDGOALS),build)
GOALS_TEST := test check asan ubsan tsan coverage coverage-server unit property test-programs limbs32
PROFILES := build $(if $(filter $(GOALS_TEST),$(GOALS)),test) $(if $(filter lint,$(GOALS)),lint) \
            $(if $(filter fuzz fuzzers fuzz-run,$(GOALS)),fuzz)

# config.mk holds what pkg-config says. make remakes an included file first and starts over when it changed, so a
# machine with nothing but make ends up with a compiler and the libraries before the first rule is read.
ifneq ($(filter-out help clean uninstall format,$(GOALS)),)
  include build/config.mk
endif

define WRITE_CONFIG
fail=0; \
at_least() { \
  pkg-config --exists "$${1%%:*} >= $${1##*:}" && return 0; \
  echo "$${1%%:*} $${1##*:} or newer is needed, found: $$(pkg-config --modversion $${1%%:*} 2>/dev/null || echo none)" >&2; \
  fail=1; \
}; \
for lib in $(LIBS_NEEDED); do at_least $$lib; done; \
$(if $(filter test,$(PROFILES)),for lib in $(LIBS_TEST); do at_least $$lib; done;) \
[ $$fail = 0 ] || { echo "see deploy/install-deps.sh for what the packages are called" >&2; exit 1; }; \
{ \
  needed="$(foreach l,$(LIBS_NEEDED),$(firstword $(subst :, ,$l)))"; \
  echo "# Written by make from pkg-config; do not edit."; \
  echo "# $$(for l in $$needed; do printf '%s %s  ' $$l $$(pkg-config --modversion $$l); done)"; \
  echo "LIB_CFLAGS := $$(pkg-config --cflags $$needed)"; \
  echo "LIB_LIBS := $$(pkg-config --libs $$needed)"; \
  for lib in $(LIBS_OPTIONAL); do \
    name=$${lib%%:*}; \
    if pkg-config --exists "$$name >= $${lib##*:}"; then \
      echo "LIB_CFLAGS += -DHAVE_$$(echo $$name | tr a-z A-Z)=1 $$(pkg-config --cflags $$name)"; \
      echo "LIB_LIBS += $$(pkg-config --libs $$name)"; \
    else \
      echo "# $$name $${lib##*:} is not there: built without it"; \
    fi; \
  done; \
  size="-falign-functions=1 -falign-jumps=1 -falign-loops=1 -falign-labels=1 --param=max-inline-insns-auto=8"; \
  $(CC) -Werror $$size -E -x c /dev/null >/dev/null 2>&1 && echo "SIZE_CFLAGS := $$size"; \
  case $$($(CC) -dumpmachine) in \
    x86_64-*|i?86-*) echo "CET_CFLAGS := -fcf-protection"; echo "CET_LDFLAGS := -Wl,-z,ibt,-z,shstk"; \
      moves="unrolled_loop:256:noalign,libcall:-1:noalign"; \
      moves="-mmemset-strategy=$$moves -mmemcpy-strategy=$$moves"; \
      $(CC) -Werror $$moves -E -x c /dev/null >/dev/null 2>&1 && echo "MOVE_CFLAGS := $$moves";; \
  esac; \
  echo "TEST_CFLAGS := $$(pkg-config --cflags criterion 2>/dev/null)"; \
  echo "TEST_LIBS := $$(pkg-config --libs criterion 2>/dev/null)"; \
} > build/config.tmp
endef

build/config.mk: FORCE
	@mkdir -p build
	@deploy/install-deps.sh --if-needed $(PROFILES)
	@$(WRITE_CONFIG)
	@if cmp -s build/config.tmp $@; then rm build/config.tmp; \
	 else mv build/config.tmp $@; grep 'built without' $@ | sed 's/^# /note: /' || true; fi

# ---------------------------------------------------------------- flags

WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wpointer-arith
# CFLAGS, CPPFLAGS and LDFLAGS are the user's; what the project needs is kept apart from them.
COMPILE = $(CC) -std=c17 -D_POSIX_C_SOURCE=200809L -I. -I$(B)/gen $(WARNINGS) $(FLAGS_$(BUILD)) $(FLAGS_ASSERTS) -pthread \
          $(LIB_CFLAGS) $(CPPFLAGS) $(CFLAGS)
LINK    = $(CC) $(FLAGS_$(BUILD)) $(LINK_$(BUILD)) -pthread -Wl,--as-needed $(CFLAGS) $(LDFLAGS)
LINK_PROGRAM = $(LINK) $(LINK_PROGRAM_$(BUILD))
LIBS    = $(LIB_LIBS) -lm $(LDLIBS)

# ---------------------------------------------------------------- sources

find_c = $(sort $(shell find $(wildcard $1) -name '*.c' 2>/dev/null </dev/null))
sources = $(if $(wildcard $1),$(call find_c,$1))
objects = $(patsubst %.c,$(B)/obj/%.o,$1)

SRC_shape        := $(call sources,solver)
SRC_proto        := $(call sources,proto)
SRC_shape-client := $(filter-out clients/c/examples/%,$(call sources,clients/c))
SRC_server       := $(filter-out server/main.c,$(call sources,server))
SRC_cli          := $(filter-out clients/cli/main.c,$(call sources,clients/cli))
SRC_lsp          := $(filter-out clients/lsp/main.c,$(call sources,clients/lsp))
ARCHIVES         := shape proto shape-client server cli lsp

SRC_support  := $(call sources,tests/support)
SRC_unit     := $(call sources,tests/unit)
SRC_property := $(wildcard tests/property/*.c)
SRC_bench    := $(wildcard tests/bench/*.c)
SRC_fuzz     := $(wildcard tests/fuzz/*.c)
SRC_fuzz_support := $(call sources,tests/fuzz/support)

# program:folder of its main.c:archive with the rest of that folder
PROGRAMS := shape:clients/cli:cli shaped:server:server shape-lsp:clients/lsp:lsp
field = $(word $2,$(subst :, ,$1))
PRESENT := $(foreach p,$(PROGRAMS),$(if $(wildcard $(call field,$p,2)/main.c),$p))
ABSENT  := $(filter-out $(PRESENT),$(PROGRAMS))

# Upper layers first, as the linker reads them.
BASE_LIBS := $(B)/libshape-client.a $(B)/libproto.a $(B)/libshape.a
ALL_LIBS  := $(B)/libserver.a $(B)/libcli.a $(B)/liblsp.a $(BASE_LIBS)
LIB_FILES := $(foreach a,$(ARCHIVES),$(B)/lib$a.a)
BINARIES  := $(foreach p,$(PRESENT),$(B)/$(call field,$p,1))

# Shared libraries: name:soname:archive-list of sources:version script. Their objects are built apart, as code that may
# be anywhere; the version script says what is visible.
VERSION      := $(shell sed -n 's/^\#define SHAPE_VERSION "\(.*\)"/\1/p' solver/shape.h)
SHARED_shape        := solver/shape.map
SHARED_shape-client := clients/c/shape-client.map
SHARED       := $(foreach a,shape shape-client,$(B)/lib$a.so.1)

PROPERTY := $(patsubst tests/property/%.c,$(B)/property/%,$(SRC_property))
BENCH    := $(patsubst tests/bench/%.c,$(B)/bench/%,$(SRC_bench))
FUZZ     := $(patsubst tests/fuzz/%.c,$(B)/fuzzers/%,$(SRC_fuzz))
EXAMPLES := $(patsubst clients/c/examples/%.c,$(B)/examples/%,$(wildcard clients/c/examples/*.c))
UNIT     := $(if $(SRC_unit),$(B)/unit)

# Man pages and completions: templates that build/tables fills from the tables which the programs are made of.
MAN_PAGES   := $(patsubst deploy/man/%.in,$(B)/man/%,$(wildcard deploy/man/*.in))
COMPLETIONS := $(patsubst deploy/completions/%.in,$(B)/completions/%,$(wildcard deploy/completions/*.in))

# ---------------------------------------------------------------- rules

.PHONY: FORCE
FORCE:

# $(call stamp,text): a file that changes only when its text does. Flags and lists of members are written to such
# files, so another flag rebuilds, a deleted source leaves its archive, and a second make does nothing.
stamp = @mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$1)' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$1)' > $@

$(B)/flags.stamp: FORCE
	$(call stamp,$(COMPILE) | $(LINK_PROGRAM) | $(LIBS) | $(TEST_CFLAGS) $(TEST_LIBS))

$(B)/obj/%.o: %.c $(B)/flags.stamp
	@mkdir -p $(@D)
	@echo "  CC    $@"
	@$(COMPILE) $(if $(filter tests/unit/%,$<),$(TEST_CFLAGS)) -MMD -MP -c $< -o $@

# The pages of `shape batch report`, `shape graph` and `shape view`, as bytes of arrays. page_head.html is in place of the
# first line of those two that begin alike, page_element.js in place of its name.
$(B)/gen/page.html.inc: clients/cli/batch/page.html solver/emit/page_element.js
$(B)/gen/graph_page.html.inc: solver/emit/graph_page.html solver/emit/page_head.html solver/emit/page_element.js
$(B)/gen/view_page.html.inc: solver/emit/view_page.html solver/emit/page_head.html
$(B)/gen/view_page.js.inc: solver/emit/view_page.js
$(B)/gen/%.inc:
	@mkdir -p $(@D)
	@sed $(if $(filter %/page_head.html,$^),-e '1{r $(filter %/page_head.html,$^)' -e 'd}') \
	   $(if $(filter %/page_element.js,$^),-e '\|^/\* page_element.js \*/$$|{r $(filter %/page_element.js,$^)' -e 'd}') \
	   -e '' $< | od -An -v -tx1 | sed 's/ \(..\)/0x\1,/g' > $@
$(B)/obj/clients/cli/batch/html.o: $(B)/gen/page.html.inc
$(B)/obj/solver/emit/graph_page.o $(B)/pic/solver/emit/graph_page.o: $(B)/gen/graph_page.html.inc
$(B)/obj/solver/emit/view.o $(B)/pic/solver/emit/view.o: $(B)/gen/view_page.html.inc $(B)/gen/view_page.js.inc

# The pages of `shape help`: those of the manual, one after the other.
HELP_PAGES := $(filter-out %/index.md,$(sort $(wildcard deploy/manual/explanations/*.md)))
$(B)/gen/help.txt: $(HELP_PAGES)
	@mkdir -p $(@D)
	@for page in $^; do printf '\f%s\n' $$(basename $$page .md); cat $$page; done > $@
$(B)/gen/help.inc: $(B)/gen/help.txt
$(B)/obj/clients/cli/cmd_help.o: $(B)/gen/help.inc

define archive_rule
$(B)/lib$1.members: FORCE
	$$(call stamp,$(SRC_$1))
$(B)/lib$1.a: $(call objects,$(SRC_$1)) $(B)/lib$1.members
	@echo "  AR    $$@"
	@rm -f $$@
	@$$(AR) rcs $$@ $$(filter %.o,$$^)
endef
$(foreach a,$(ARCHIVES),$(eval $(call archive_rule,$a)))

$(B)/pic/%.o: %.c $(B)/flags.stamp
	@mkdir -p $(@D)
	@echo "  CC    $@"
	@$(COMPILE) -fPIC -MMD -MP -c $< -o $@

define shared_rule
$(B)/lib$1.so.1: $(patsubst %.c,$(B)/pic/%.o,$(SRC_$1)) $(B)/lib$1.members $(SHARED_$1)
	@echo "  LD    $$@"
	@$$(LINK) -shared -Wl,-soname,lib$1.so.1 -Wl,--version-script=$(SHARED_$1) $$(filter %.o,$$^) \
	   $$(LIBS) -Wl,-z,defs -o $$@
endef
$(foreach a,shape shape-client,$(eval $(call shared_rule,$a)))

# Examples include what a user's program does, and compile with the header that is installed.
# Headers that are installed side by side include one another by name.
$(foreach d,obj pic,$(B)/$d/clients/c/%.o) $(B)/obj/tests/unit/clients/%.o: private CPPFLAGS += -Iclients/c
$(B)/examples/%: $(B)/obj/clients/c/examples/%.o $(B)/libshape-client.a $(B)/flags.stamp
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(LINK_PROGRAM) $(filter %.o %.a,$^) $(LIBS) -o $@

# The pass for MLIR, where LLVM 22's C API is installed: thin archives of it over the shared library. A process links them once,
# so libshape-mlir has none of it.
MLIR_ROOT   ?= $(or $(shell llvm-config-22 --prefix 2>/dev/null),/usr/lib/llvm-22)
MLIR_LIB     = $(MLIR_ROOT)/lib
MLIR_LIBS    = -L$(MLIR_LIB) -Wl,-rpath,$(MLIR_LIB) -Wl,--start-group \
               $(foreach l,IR RegisterEverything Interfaces,$(MLIR_LIB)/libMLIRCAPI$l.a) -Wl,--end-group \
               -lMLIR -l:libLLVM.so.22.1 -l:libstdc++.so.6
MLIR_GOAL    := $(if $(wildcard $(MLIR_ROOT)/include/mlir-c/IR.h),mlir)
SRC_mlir     := $(filter-out clients/mlir/main.c,$(wildcard clients/mlir/*.c))
MLIR_OBJECTS := $(call objects,$(wildcard clients/mlir/*.c clients/mlir/examples/*.c))
$(MLIR_OBJECTS): private CPPFLAGS += -Isolver -Iclients/mlir -isystem $(MLIR_ROOT)/include
$(MLIR_OBJECTS): | $(B)/mlir.there
$(B)/mlir.there: FORCE
	@mkdir -p $(@D); [ -f "$(MLIR_ROOT)/include/mlir-c/IR.h" ] || { \
	  echo "MLIR 22 is not in $(MLIR_ROOT): install libmlir-22-dev, or set MLIR_ROOT" >&2; exit 2; }
$(B)/libshape-mlir.a: $(call objects,$(SRC_mlir))
	@echo "  AR    $@"
	@rm -f $@
	@$(AR) rcs $@ $^
$(B)/shape-mlir-opt: $(B)/obj/clients/mlir/main.o
$(B)/examples/shape-mlir-plan: $(B)/obj/clients/mlir/examples/plan.o
$(B)/shape-mlir-opt $(B)/examples/shape-mlir-plan: $(B)/libshape-mlir.a $(B)/libshape.a
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(LINK_PROGRAM) $(filter %.o,$^) $(B)/libshape-mlir.a $(B)/libshape.a $(MLIR_LIBS) $(LIBS) -o $@

# The library for browsers and Node: WebAssembly and the few calls of clients/web. The compiler's JavaScript is not used.
# Everything that shape.h declares is exported beside the calls.
W            := build/wasm
EMCC         ?= emcc
WASM_TOOLS    = $(if $(filter no,$(WASM)),,$(shell command -v $(EMCC) && command -v dpkg-source && command -v node))
# Of the language server all but what has threads, files and sockets.
SRC_wasm     := $(filter-out solver/base/pages.c,$(SRC_shape)) $(wildcard clients/web/*.c proto/json/*.c) \
                $(filter-out $(addprefix clients/lsp/,main.c options.c queue.c stdio.c daemon.c files.c),$(call sources,clients/lsp))
WEB_FILES    := $(addprefix $W/web/,$(notdir $(wildcard clients/web/*.mjs clients/web/*.ts clients/web/package.json)) schema.d.ts methods.d.ts)
WASM_COMPILE  = NODE_PATH=/usr/share/nodejs $(EMCC) -std=c17 -D_POSIX_C_SOURCE=200809L -I. -I$(B)/gen -I$W/deps/include $(WARNINGS) \
                -O2 -DNDEBUG -ffile-prefix-map=$(CURDIR)=.
WASM_LINK     = -O2 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=33554432 -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=8MB -sFILESYSTEM=0 \
                -sDYNAMIC_EXECUTION=0 -sMODULARIZE=1 -sEXPORT_ES6=1 --js-library clients/web/imports.js
$W/deps/done: deploy/wasm/deps.sh
	@echo "  DEPS  $W/deps"
	@deploy/wasm/deps.sh $W/deps
$W/obj/%.o: %.c $W/deps/done
	@mkdir -p $(@D)
	@echo "  EMCC  $@"
	@$(WASM_COMPILE) -MMD -MP -c $< -o $@
$W/obj/solver/emit/graph_page.o: $(B)/gen/graph_page.html.inc
$W/obj/solver/emit/view.o: $(B)/gen/view_page.html.inc $(B)/gen/view_page.js.inc
$W/exports: solver/shape.h $(wildcard clients/web/*.h)
	@mkdir -p $(@D)
	@{ echo _malloc; echo _free; grep -hv '^typedef\|^extern\|^ *//' $^ | grep -oE '\b(shape|web)_[a-z_]+\(' | sed 's/^/_/; s/($$//' | sort -u; } > $@
$W/web/libshape.wasm: $(patsubst %.c,$W/obj/%.o,$(SRC_wasm)) $W/exports
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@NODE_PATH=/usr/share/nodejs $(EMCC) $(filter %.o,$^) -L$W/deps/lib -lgmp -lz -lcjson $(WASM_LINK) -sEXPORTED_FUNCTIONS=@$W/exports -o $W/emitted.mjs
	@mv $W/emitted.wasm $@
$W/web/%: clients/web/%
	@mkdir -p $(@D)
	@cp $< $@
$W/web/schema.d.ts: clients/web/types.py clients/web/options.def solver/emit/emitters.def $(wildcard proto/schema/*.json)
	@mkdir -p $(@D)
	@python3 clients/web/types.py > $@
$W/web/methods.d.ts: clients/web/types.py proto/methods.def $(wildcard proto/schema/*.json)
	@mkdir -p $(@D)
	@python3 clients/web/types.py methods > $@

# The playground is bundled in a copy, so that the tree stays clean; what npm brought is kept.
PLAYGROUND     := $W/playground
SRC_playground := $(sort $(shell find clients/web/playground -type f -not -path '*/node_modules/*')) $(wildcard deploy/demo/*.mlir)
$(PLAYGROUND)/node_modules/.checked: $(SRC_playground) $(WEB_FILES)
	@command -v npm >/dev/null || { echo "make web needs node and npm (18 or newer)" >&2; exit 1; }
	@mkdir -p $(PLAYGROUND)
	@rm -rf $(PLAYGROUND)/src $(PLAYGROUND)/examples
	@cp -R clients/web/playground/. $(PLAYGROUND)
	@cp deploy/demo/*.mlir $(PLAYGROUND)/examples
	@cd $(PLAYGROUND) && { cmp -s package-lock.json node_modules/.installed || { $(NPM) ci --ignore-scripts && \
	   cp package-lock.json node_modules/.installed; }; }
	@cd $(PLAYGROUND) && $(NPM) run --silent check
	@touch $@
build/web/index.html: $(PLAYGROUND)/node_modules/.checked $W/web/libshape.wasm solver/emit/page_head.html solver/emit/view_page.html \
		solver/emit/view_page.js
	@cd $(PLAYGROUND) && node build.mjs ../web $(CURDIR)/solver/emit $(CURDIR)/build/web
	@echo "built build/web, for any server of static files"

define program_rule
$(B)/$1: $(B)/obj/$2/main.o $(B)/lib$3.a $$(BASE_LIBS) $(B)/flags.stamp
	@echo "  LD    $$@"
	@$$(LINK_PROGRAM) $$(filter %.o %.a,$$^) $$(LIBS) -o $$@
endef
$(foreach p,$(PRESENT),$(eval $(call program_rule,$(call field,$p,1),$(call field,$p,2),$(call field,$p,3))))

$(B)/unit.members: FORCE
	$(call stamp,$(SRC_unit) $(SRC_support))
$(B)/unit: $(call objects,$(SRC_unit) $(SRC_support)) $(ALL_LIBS) $(B)/unit.members
	@echo "  LD    $@"
	@$(LINK_PROGRAM) $(filter %.o %.a,$^) $(LIBS) $(TEST_LIBS) -o $@

$(PROPERTY) $(BENCH): $(B)/%: $(B)/obj/tests/%.o $(call objects,$(SRC_support)) $(ALL_LIBS) $(B)/flags.stamp
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(LINK_PROGRAM) $(filter %.o %.a,$^) $(LIBS) -o $@

$(FUZZ): $(B)/fuzzers/%: $(B)/obj/tests/fuzz/%.o $(call objects,$(SRC_fuzz_support) $(SRC_support)) $(ALL_LIBS) $(B)/flags.stamp
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(LINK_PROGRAM) $(filter %.o %.a,$^) $(LIBS) $(FUZZ_ENGINE) -o $@

# The command line in one process: what tests/memcheck runs.
$(B)/commands: $(call objects,tests/memcheck/commands.c) $(B)/libcli.a $(BASE_LIBS) $(B)/flags.stamp
	@echo "  LD    $@"
	@$(LINK_PROGRAM) $(filter %.o %.a,$^) $(LIBS) -o $@

# Preloaded before the C library; makes calls fail: what tests/system/fault_sweep.py loads.
$(B)/inject.so: tests/faults/inject.c $(B)/flags.stamp
	@echo "  LD    $@"
	@$(COMPILE) -fPIC -shared $< -o $@ -ldl

$(B)/tables: $(call objects,$(wildcard deploy/tables/*.c)) $(B)/flags.stamp
	@echo "  LD    $@"
	@$(LINK_PROGRAM) $(filter %.o,$^) -o $@

# The methods for machines: what rpc.discover answers.
$(B)/openrpc: $(call objects,deploy/openrpc/main.c) $(BASE_LIBS) $(B)/flags.stamp
	@echo "  LD    $@"
	@$(LINK_PROGRAM) $(filter %.o %.a,$^) $(LIBS) -o $@
$(B)/openrpc.json: $(B)/openrpc
	@$< > $@

$(MAN_PAGES) $(COMPLETIONS): $(B)/%: deploy/%.in $(B)/tables
	@mkdir -p $(@D)
	@$(B)/tables < $< > $@

# Objects are kept: make would otherwise delete those it takes for intermediate files.
.SECONDARY:
-include $(shell find $(B)/obj $(B)/pic $(if $(filter wasm,$(GOALS)),$W/obj) -name '*.d' 2>/dev/null)

# ---------------------------------------------------------------- targets

.PHONY: help build shared pages test check unit property golden demo bench bench-mlir bench-load bench-check fuzz fuzz-run asan ubsan tsan limbs32 lint format install deb release docs-check uninstall clean

help: ## this list
	@echo "Shaped: what is known about the tensor shapes in a program, and why"
	@echo
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' \
	  '{line = sprintf("%-18s", $$1); n = split($$2, word, " "); \
	    for (i = 1; i <= n; i++) { \
	      if (length(line) + length(word[i]) >= 80) {print line; line = sprintf("%18s", "")} \
	      line = line " " word[i]} print line}'
	@echo
	@echo "  BUILD=release|debug|asan|ubsan|tsan|limbs32   CC=gcc|clang   DEPS=no (installs nothing)"
	@echo "  ASSERTS=yes|no (default: no for install, deb, release and benches)"
	@echo "  -jN (default: one job per processor)   CFLAGS= CPPFLAGS= LDFLAGS="

shared: $(SHARED) ## libshape.so.1 and libshape-client.so.1

mlir: $(B)/libshape-mlir.a $(B)/shape-mlir-opt $(B)/examples/shape-mlir-plan ## a pass for MLIR 22, and shape-mlir-opt; needs libmlir-22-dev
.PHONY: wasm web web-types
web: build/web/index.html ## the playground, a folder of static files in build/web; needs emscripten, node and npm
wasm: $W/web/libshape.wasm $(WEB_FILES) ## the library for browsers and Node, in build/wasm/web; needs emscripten
web-types: $(PLAYGROUND)/node_modules/.checked ## the types of the playground and of the npm package; needs node and npm
build: $(LIB_FILES) $(BINARIES) $(B)/openrpc.json ## the libraries and programs, in build/ (default)
	@$(if $(filter build,$(GOALS)),$(foreach p,$(ABSENT),\
	   echo "note: $(call field,$p,1) is left out, $(call field,$p,2)/main.c is not there";)) :

pages: $(MAN_PAGES) $(COMPLETIONS) ## man pages, and completions for bash, zsh and fish

.PHONY: manual
manual: build ## the manual as pages with search, and as a PDF, in build/manual; needs sphinx, myst-parser and furo (the PDF: chromium)
	@deploy/manual/build.py --build $(B) --out build/manual

unit: build $(UNIT) $(EXAMPLES) ## the unit tests alone; some of them: make unit TEST='arena/*' (SUITE/TEST, as in Test(suite, test))
	@tests/run_tests.py --build $(B) --only unit $(if $(TEST),--unit '$(TEST)')

property: build $(PROPERTY) ## the property tests alone; one of them: make property TEST=order; volume: PROPERTY_CASES=N
	@tests/run_tests.py --build $(B) --only property $(if $(TEST),--match '$(TEST)')

golden: build ## the golden tests alone
	@tests/run_tests.py --build $(B) --only golden

check: build $(UNIT) $(PROPERTY) ## the quick tests: unit, property, golden
	@tests/run_tests.py --build $(B) --only unit,property,golden

# With CI=true the unit tests also run under ASan and UBSan. Where emscripten is installed, the module is built for its
# tests; WASM=no leaves it as it is.
test: build $(MLIR_GOAL) pages $(UNIT) $(PROPERTY) $(EXAMPLES) $(B)/commands $(B)/inject.so $(B)/libshape-client.so.1 ## every test; ends in `N passed, N failed`
ifeq ($(CI),true)
	@$(MAKE) --no-print-directory BUILD=asan test-programs
endif
	@$(if $(WASM_TOOLS),if $(MAKE) --no-print-directory $W/deps/done; then $(MAKE) --no-print-directory wasm; \
	   else echo "note: libshape.wasm is not built: its libraries cannot be had"; fi)
	@tests/run_tests.py --build $(B) $(if $(filter true,$(CI)),--sanitized-unit build/asan/unit)

.PHONY: test-long
test-long: build $(PROPERTY) $(B)/inject.so $(B)/commands ## tests at full size: a fresh machine, 10000 models, ten minutes of misbehaving clients
	@FRESH_MACHINE=1 tests/run_tests.py --build $(B) --only system --match fresh --timeout 7200
	@$(MAKE) --no-print-directory BUILD=asan build
	@ISOLATE_KILLS=500 tests/run_tests.py --build $(B) --only system --match isolate
	@MIXED_SECONDS=600 tests/run_tests.py --build $(B) --only system --match mixed_load --timeout 7200
	@FAULT_SECONDS=1200 tests/run_tests.py --build $(B) --only system --match faults --timeout 7200
	@$(MAKE) --no-print-directory tsan
	@FAULT_SECONDS=600 tests/run_tests.py --build build/tsan --only system --match faults --timeout 7200
	@$(MAKE) --no-print-directory ubsan
	@KILLS=200 tests/run_tests.py --build $(B) --only system --match kill_writes
	@FAULT_SWEEP=1 tests/run_tests.py --build $(B) --only system --match fault_sweep --timeout 14400
	@MEMCHECK_PROGRAMS=5000 MEMCHECK_CORPUS=4 MEMCHECK_PROPERTY=500 tests/run_tests.py --build $(B) --only system --match memcheck --timeout 14400
	@BATCH_MODELS=10000 tests/run_tests.py --build $(B) --only system --match batch
	@PROPERTY_TORCH=1 tests/run_tests.py --build $(B) --only property --match property/torch --timeout 7200
	@PROPERTY_LOWERED=300000 tests/run_tests.py --build $(B) --only property --match property/lowered --timeout 7200
	@PROPERTY_ONNX=2000 tests/run_tests.py --build $(B) --only property --match property/onnx
	@tests/run_tests.py --build $(B) --only system --match onnx_testdata

.PHONY: test-programs
test-programs: build $(UNIT) $(PROPERTY) $(EXAMPLES)

asan: ## the tests of programs under AddressSanitizer and UBSan
	@$(MAKE) --no-print-directory BUILD=asan test-programs
	@tests/run_tests.py --build build/asan --only unit,property,golden,system

ubsan: ## unit, property and golden tests under UBSan of clang, offsets to null included
	@$(MAKE) --no-print-directory BUILD=ubsan CC=clang test-programs
	@tests/run_tests.py --build build/ubsan --only unit,property,golden

# Threads are the daemon's and the language server's alone, so these are the tests that drive them.
THREADED := daemon,peers,accept,iterations,limits,operations,sessions,profile,isolate,short_jobs,tls
THREADED := $(THREADED),client_python,lsp.py,lsp_edits,faults
limbs32: ## unit and golden tests with limbs of 32 bits, as in WebAssembly
	@deploy/wasm/deps.sh --limbs32 build/limbs32/deps
	@$(MAKE) --no-print-directory BUILD=limbs32 build build/limbs32/unit
	@tests/run_tests.py --build build/limbs32 --only unit,golden

tsan: ## the daemon's and the language server's tests under ThreadSanitizer
	@$(MAKE) --no-print-directory BUILD=tsan build build/tsan/libshape-client.so.1
	@tests/run_tests.py --build build/tsan --only system --match $(THREADED) --timeout 7200

# Few cases of each property test reach what many do.
FEW := PROPERTY_CASES=500 PROPERTY_PROGRAMS=1000 PROPERTY_REASONS=60 PROPERTY_ONNX=150 PROPERTY_GUARDS=150 PROPERTY_LOWERED=500 \
       PROPERTY_CLEANUP=80 PROPERTY_REFINED=80 PROPERTY_EXPLAIN=60 PROPERTY_LOCATIONS=30 PROPERTY_CONTEXTS=20 PROPERTY_OPERATIONS=20000 \
       PROPERTY_PASSES=60
.PHONY: coverage
coverage: ## what unit, golden and property tests reach of solver/ and proto/: 90 % of lines, 75 % of branches (COVERAGE=folder)
	@$(MAKE) --no-print-directory BUILD=coverage test-programs
	@find build/coverage -name '*.gcda' -delete
	@$(FEW) tests/run_tests.py --build build/coverage --only unit,golden,property --timeout 3600
	@tests/coverage.py build/coverage $(or $(COVERAGE),solver/ops/rules) --floor $(if $(COVERAGE),0,95)
	@$(if $(COVERAGE),,tests/coverage.py build/coverage solver proto --floor 90 --branches 75)

# What drives the daemon: daemons that end by a signal say nothing of what they reached, all others do.
SERVED := daemon,peers,accept,iterations,limits,operations,sessions,profile,isolate,short_jobs,tls,trust,hostile,prometheus
.PHONY: coverage-server
coverage-server: ## lines and branches of server/ that system tests reach, 85 % of the lines at least
	@$(MAKE) --no-print-directory BUILD=coverage build
	@find build/coverage -name '*.gcda' -delete
	@tests/run_tests.py --build build/coverage --only system --match $(SERVED) --timeout 3600
	@tests/coverage.py build/coverage server --floor 85

# The extension is built in a copy, so that the tree stays clean; what npm brought is kept.
VSCODE      := build/vscode
SRC_vscode  := $(sort $(shell find clients/vscode -type f -not -path '*/node_modules/*' -not -path '*/build/*'))
# What is bundled into extension.js, for its licences.
VSCODE_BUNDLED := vscode-languageclient vscode-languageserver-protocol vscode-languageserver-types vscode-jsonrpc minimatch \
                  brace-expansion balanced-match semver
NPM         := npm --no-audit --no-fund --loglevel=error

# On Linux there is a package that brings the programs too, with the libraries that they link beside them.
VSCODE_PLATFORM := $(patsubst %-x86_64,%-x64,$(patsubst %-aarch64,%-arm64,$(filter linux-x86_64 linux-aarch64,$(shell uname -s | tr A-Z a-z)-$(shell uname -m))))
VSCODE_PACKAGES := $(VSCODE)/shaped.vsix $(VSCODE_PLATFORM:%=$(VSCODE)/shaped-%.vsix)
VSCODE_PROGRAMS := $(filter shape:% shape-lsp:%,$(PRESENT))
VSCODE_LIBS     := libcjson libgmp libz
VSCODE_LICENCES := libcjson1 libgmp10 zlib1g

.PHONY: vscode
vscode: $(VSCODE_PACKAGES) ## extensions for VS Code in build/vscode: one for this platform, one for others; needs node 18 and npm

$(VSCODE)/shaped.vsix: $(SRC_vscode) LICENSE $(wildcard clients/web/*.mjs clients/web/*.ts $W/web/libshape.wasm)
	@command -v npm >/dev/null || { echo "make vscode needs node and npm (18 or newer)" >&2; exit 1; }
	@mkdir -p $(VSCODE)
	@rm -rf $(VSCODE)/src $(VSCODE)/syntaxes $(VSCODE)/media $(VSCODE)/build
	@cp -R $(wildcard clients/vscode/*.json) clients/vscode/.npmrc clients/vscode/.vscodeignore clients/vscode/README.md \
	   clients/vscode/bundle.mjs clients/vscode/src clients/vscode/syntaxes clients/vscode/media $(VSCODE)
	@rm -rf $(VSCODE)/web; mkdir -p $(VSCODE)/web
	@cp clients/web/*.mjs clients/web/*.d.ts $(VSCODE)/web; python3 clients/web/types.py > $(VSCODE)/web/schema.d.ts
	@[ ! -f $W/web/libshape.wasm ] || cp $W/web/libshape.wasm $(VSCODE)/web
	@cp LICENSE $(VSCODE)/LICENSE.txt
	@cd $(VSCODE) && { cmp -s package-lock.json node_modules/.installed || { $(NPM) ci --ignore-scripts && \
	   cp package-lock.json node_modules/.installed; }; }
	@cd $(VSCODE)/node_modules && for p in $(VSCODE_BUNDLED); do \
	   echo "== $$p"; cat $$p/[Ll][Ii][Cc][Ee][Nn][SsCc][Ee]*; echo; done > ../ThirdPartyNotices.txt
	@cd $(VSCODE) && $(NPM) run --silent check && $(NPM) run --silent bundle && \
	   $(NPM) run --silent package -- --out $(@F)
	@echo "built $@"

define vscode_program
$(VSCODE)/server/$1: $(B)/obj/$2/main.o $(B)/lib$3.a $$(BASE_LIBS) $(B)/flags.stamp $(B)/$1
	@mkdir -p $$(@D)
	@$$(LINK_PROGRAM) -s -Wl,-rpath,'$$$$ORIGIN' $$(filter %.o %.a,$$^) $$(LIBS) -o $$@
	@ldd $(B)/$1 | awk '$$(VSCODE_LIBS:%=/%/ ||) 0 {print $$$$3}' | xargs -r cp -Lt $$(@D)
endef
$(foreach p,$(VSCODE_PROGRAMS),$(eval $(call vscode_program,$(call field,$p,1),$(call field,$p,2),$(call field,$p,3))))

$(VSCODE)/shaped-%.vsix: $(VSCODE)/shaped.vsix $(foreach p,$(VSCODE_PROGRAMS),$(VSCODE)/server/$(call field,$p,1))
	@find $(VSCODE)/server -type f $(foreach f,$(foreach p,$(VSCODE_PROGRAMS),$(call field,$p,1)) $(VSCODE_LIBS:%=%.so.*),! -name '$f') -delete
	@cat /dev/null $(wildcard $(VSCODE_LICENCES:%=/usr/share/doc/%/copyright)) > $(VSCODE)/server/LICENSES.txt
	@cd $(VSCODE) && { cat .vscodeignore; echo '!server/**'; } > .platformignore && \
	   $(NPM) run --silent package -- --target $* --ignoreFile .platformignore --out $(@F)
	@echo "built $@"

demo: build ## a short tour: starts a daemon, asks it about three programs, stops it
	@SHAPE=$(B)/shape SHAPED=$(B)/shaped deploy/demo/run.sh

bench: build $(BENCH) ## measurements: tests/bench/*.c and bench.py; the same figures as JSON lines in build/ndebug/bench.jsonl
	@rm -f $(B)/bench.jsonl
	@for b in $(BENCH) $(wildcard tests/bench/bench.py); do echo "== $$b"; \
	   SHAPE=$(B)/shape SHAPED=$(B)/shaped BENCH_JSON=$(CURDIR)/$(B)/bench.jsonl $$b || exit 1; done
	@echo "the figures as JSON lines: $(B)/bench.jsonl"

bench-mlir: build $(B)/bench/queries $(B)/bench/value_bounds ## queries of passes beside MLIR's ValueBoundsOpInterface; needs libmlir-22-dev and llvm-22-dev
	@$(B)/bench/queries 10
	@$(B)/bench/queries 1 200 program | $(B)/bench/value_bounds 10000

$(B)/bench/value_bounds: tests/bench/value_bounds.cpp
	@mkdir -p $(@D)
	@echo "  CXX   $@"
	@$(CXX) -std=c++17 -O2 -fno-rtti -w -isystem $(MLIR_ROOT)/include $< -L$(MLIR_LIB) -Wl,-rpath,$(MLIR_LIB) \
	   -lMLIR -l:libLLVM.so.22.1 -o $@

bench-load: build $(B)/bench/load ## a loaded daemon: requests/s, p50/p99/p99.9 and CPU of pings and analyses, also at 80 % of the peak
	@uptime; SHAPED=$(B)/shaped $(B)/bench/load
	@SHAPED=$(B)/shaped $(B)/bench/load --apart
	@SHAPED=$(B)/shaped $(B)/bench/load --isolation

bench-check: build $(B)/bench/phases ## instruction counts of six workloads against tests/bench/counts.json, 5 % at most
	@python3 tests/bench/check.py --build $(B)

docs-check: build pages $(EXAMPLES) ## links, commands and outputs of every document, and the man pages
	@BUILD_DIR=$(CURDIR)/$(B) tests/run_tests.py --build $(B) --only system --match documents
	@BUILD_DIR=$(CURDIR)/$(B) tests/run_tests.py --build $(B) --only system --match man.py

fuzz: ## each fuzz target for FUZZ_SECONDS=20, FUZZ_JOBS=1 at a time, with clang
	@$(MAKE) --no-print-directory BUILD=fuzz CC=clang fuzz-run

.PHONY: fuzzers
fuzzers: $(FUZZ)

fuzz-run: $(FUZZ)
	@tests/fuzz/run.py --build $(B) --seconds $(FUZZ_SECONDS) --jobs $(FUZZ_JOBS) --seed $(FUZZ_SEED) $(FUZZ)

lint: build ## layers, globals, words, format; ends in `N passed, N failed`
	@tests/lint/lint.py --build $(B)

format: ## clang-format, in place
	@git ls-files -co --exclude-standard -- '*.c' '*.h' | xargs -r clang-format -i

BIN_DIR := $(DESTDIR)$(PREFIX)/bin
LIB_DIR := $(DESTDIR)$(LIBDIR)
INC_DIR := $(DESTDIR)$(PREFIX)/include/shaped
SHARE   := $(DESTDIR)$(PREFIX)/share
MAN_DIR := $(SHARE)/man
BASH_DIR := $(SHARE)/bash-completion/completions
FISH_DIR := $(SHARE)/fish/vendor_completions.d
ZSH_DIR  := $(SHARE)/zsh/$(ZSH_FOLDER)
UNITS        := $(sort $(wildcard deploy/systemd/*.service deploy/systemd/*.socket))
UNIT_DIR     := $(if $(SYSTEMD_DIR),$(DESTDIR)$(SYSTEMD_DIR))
SYSUSERS_DIR := $(DESTDIR)$(PREFIX)/lib/sysusers.d

INSTALLED_LIBS := $(foreach a,shape shape-client,lib$a.a lib$a.so lib$a.so.1 pkgconfig/$a.pc) \
                  $(foreach f,shape-config shape-config-version,cmake/shape/$f.cmake)
# From lib/cmake/shape to the prefix, also where libraries are in lib/TRIPLET.
CMAKE_UP := ../../..$(subst $() ,,$(foreach d,$(wordlist 2,9,$(subst /, ,$(LIBDIR:$(PREFIX)/%=%))),/..))
# Compile with -I.../include/shaped, as pkg-config says.
PUBLIC_HEADERS := solver/shape.h solver/shape.hpp clients/c/shape_client.h clients/c/shape_remote.h

install: build shared pages ## programs, libraries, headers, man pages, completions and units (SYSTEMD_DIR=, empty: none) below PREFIX=/usr/local (DESTDIR is honoured)
	@install -d $(BIN_DIR) $(LIB_DIR)/pkgconfig $(INC_DIR)
	@$(if $(BINARIES),install -m 755 $(BINARIES) $(BIN_DIR))
	@for a in shape shape-client; do \
	   install -m 644 $(B)/lib$$a.a $(LIB_DIR) && \
	   install -m 644 $(B)/lib$$a.so.1 $(LIB_DIR) && ln -sf lib$$a.so.1 $(LIB_DIR)/lib$$a.so || exit 1; done
	@sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|; s|@VERSION@|$(VERSION)|' solver/shape.pc.in > $(LIB_DIR)/pkgconfig/shape.pc
	@install -d $(LIB_DIR)/cmake/shape
	@for f in shape-config shape-config-version; do \
	   sed 's|@VERSION@|$(VERSION)|; s|@UP@|$(CMAKE_UP)|' solver/$$f.cmake.in > $(LIB_DIR)/cmake/shape/$$f.cmake || exit 1; done
	@sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|; s|@VERSION@|$(VERSION)|' \
	   clients/c/shape-client.pc.in > $(LIB_DIR)/pkgconfig/shape-client.pc
	@install -m 644 $(PUBLIC_HEADERS) $(INC_DIR)
	@for m in $(MAN_PAGES); do install -D -m 644 $$m $(MAN_DIR)/man$${m##*.}/$${m##*/} || exit 1; done
	@install -d $(BASH_DIR) $(FISH_DIR) $(ZSH_DIR)
	@install -m 644 $(B)/completions/shape.bash $(BASH_DIR)/shape && ln -sf shape $(BASH_DIR)/shaped
	@install -m 644 $(filter %.fish,$(COMPLETIONS)) $(FISH_DIR)
	@install -m 644 $(filter $(B)/completions/_%,$(COMPLETIONS)) $(ZSH_DIR)
	@install -d $(SHARE)/shaped/schema && install -m 644 $(B)/openrpc.json $(SHARE)/shaped
	@install -m 644 proto/schema/*.json $(SHARE)/shaped/schema
ifneq ($(UNIT_DIR),)
	@install -d $(UNIT_DIR)
	@for u in $(UNITS); do sed 's|/usr/bin/|$(PREFIX)/bin/|' $$u > $(UNIT_DIR)/$${u##*/} && \
	   chmod 644 $(UNIT_DIR)/$${u##*/} || exit 1; done
	@install -D -m 644 deploy/systemd/shaped.sysusers $(SYSUSERS_DIR)/shaped.conf
endif
	@echo "installed below $(DESTDIR)$(PREFIX)"

DEB_ARCH = $(shell dpkg-architecture -qDEB_HOST_MULTIARCH)
deb: ## the Debian packages, in build/deb/
	@rm -rf build/deb && mkdir -p build/deb
	@$(MAKE) --no-print-directory DESTDIR=$(CURDIR)/build/deb/stage PREFIX=/usr \
	   LIBDIR=/usr/lib/$(DEB_ARCH) SYSTEMD_DIR=/lib/systemd/system ZSH_FOLDER=vendor-completions install
	@deploy/debian/build.sh build/deb/stage build/deb
	@rm -rf build/deb/stage

release: deb ## sources, Debian packages, bill of materials (SPDX) and checksums, in build/release/
	@rm -rf build/release
	@deploy/release/build.sh $(VERSION) build/release build/deb/*.deb

# Folders that install may have made below those of a bare system; what others use of them is not empty.
UNINSTALL_DIRS := $(patsubst $(DESTDIR)$(PREFIX)/%,%,$(LIB_DIR)/pkgconfig $(wildcard $(LIB_DIR)/cmake) $(wildcard $(MAN_DIR)/man[1578])) \
                  share/bash-completion share/fish share/zsh $(wildcard $(SYSUSERS_DIR)) \
                  $(if $(UNIT_DIR),$(patsubst $(DESTDIR)$(PREFIX)/%,%,$(wildcard $(UNIT_DIR)) $(wildcard $(dir $(UNIT_DIR)))))
uninstall: ## removes what install put there
	@rm -f $(foreach p,$(PROGRAMS),$(BIN_DIR)/$(call field,$p,1)) $(addprefix $(LIB_DIR)/,$(INSTALLED_LIBS))
	@rm -f $(foreach m,$(MAN_PAGES),$(MAN_DIR)/man$(patsubst .%,%,$(suffix $m))/$(notdir $m))
	@rm -f $(BASH_DIR)/shape $(BASH_DIR)/shaped $(addprefix $(FISH_DIR)/,$(notdir $(filter %.fish,$(COMPLETIONS))))
	@rm -f $(addprefix $(ZSH_DIR)/,$(notdir $(filter $(B)/completions/_%,$(COMPLETIONS))))
	@rm -f $(if $(UNIT_DIR),$(addprefix $(UNIT_DIR)/,$(notdir $(UNITS))) $(SYSUSERS_DIR)/shaped.conf)
	@rm -rf $(INC_DIR) $(SHARE)/shaped
	@cd $(DESTDIR)$(PREFIX) 2>/dev/null && find $(UNINSTALL_DIRS) -depth -type d -empty -delete 2>/dev/null || true

clean: ## removes build/
	@rm -rf build
