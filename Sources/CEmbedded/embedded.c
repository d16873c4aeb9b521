#include "CEmbedded.h"

#include <string.h>

// Embeds files by a directive of C23 (6.10.4). An array literal in Swift takes a compiler 28 s for
// 236 kB, this none.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_yaml[] = {
#embed "../../openapi.yaml"
};
static const unsigned char tree_client_js[] = {
#embed "../TreeWeb/client/tree-client.js"
};
static const unsigned char tree_client_d_ts[] = {
#embed "../TreeWeb/client/tree-client.d.ts"
};
static const unsigned char outbox_js[] = {
#embed "../TreeWeb/client/outbox.js"
};
static const unsigned char outbox_d_ts[] = {
#embed "../TreeWeb/client/outbox.d.ts"
};
static const unsigned char ag_grid_js[] = {
#embed "../TreeWeb/client/ag-grid.js"
};
static const unsigned char ag_grid_d_ts[] = {
#embed "../TreeWeb/client/ag-grid.d.ts"
};
static const unsigned char react_js[] = {
#embed "../TreeWeb/client/react.js"
};
static const unsigned char react_d_ts[] = {
#embed "../TreeWeb/client/react.d.ts"
};
static const unsigned char virtual_list_js[] = {
#embed "../TreeWeb/client/virtual-list.js"
};
static const unsigned char virtual_list_d_ts[] = {
#embed "../TreeWeb/client/virtual-list.d.ts"
};
static const unsigned char example_html[] = {
#embed "../TreeWeb/client/example.html"
};
static const unsigned char index_html[] = {
#embed "../TreeWeb/explorer/index.html"
};
static const unsigned char explorer_css[] = {
#embed "../TreeWeb/explorer/explorer.css"
};
static const unsigned char explorer_js[] = {
#embed "../TreeWeb/explorer/explorer.js"
};
static const unsigned char opening_js[] = {
#embed "../TreeWeb/explorer/opening.js"
};
static const unsigned char treegrid_js[] = {
#embed "../TreeWeb/explorer/treegrid.js"
};
static const unsigned char columns_js[] = {
#embed "../TreeWeb/explorer/columns.js"
};
static const unsigned char keyboard_js[] = {
#embed "../TreeWeb/explorer/keyboard.js"
};
static const unsigned char naming_js[] = {
#embed "../TreeWeb/explorer/naming.js"
};
static const unsigned char sections_js[] = {
#embed "../TreeWeb/explorer/sections.js"
};
static const unsigned char selection_js[] = {
#embed "../TreeWeb/explorer/selection.js"
};
static const unsigned char edits_js[] = {
#embed "../TreeWeb/explorer/edits.js"
};
static const unsigned char drag_js[] = {
#embed "../TreeWeb/explorer/drag.js"
};
static const unsigned char finder_js[] = {
#embed "../TreeWeb/explorer/finder.js"
};
static const unsigned char inspector_js[] = {
#embed "../TreeWeb/explorer/inspector.js"
};
static const unsigned char start_js[] = {
#embed "../TreeWeb/explorer/start.js"
};
static const unsigned char convert_js[] = {
#embed "../TreeWeb/explorer/convert.js"
};
static const unsigned char sample_js[] = {
#embed "../TreeWeb/explorer/sample.js"
};
static const unsigned char messages_js[] = {
#embed "../TreeWeb/explorer/messages.js"
};
static const unsigned char surroundings_js[] = {
#embed "../TreeWeb/explorer/surroundings.js"
};

#define FILE_NAMED(name, bytes) {name, {bytes, sizeof bytes}}

static const struct {
  const char *name;
  cembedded_file file;
} files[] = {
    FILE_NAMED("openapi.yaml", openapi_yaml),
    FILE_NAMED("tree-client.js", tree_client_js),
    FILE_NAMED("tree-client.d.ts", tree_client_d_ts),
    FILE_NAMED("outbox.js", outbox_js),
    FILE_NAMED("outbox.d.ts", outbox_d_ts),
    FILE_NAMED("ag-grid.js", ag_grid_js),
    FILE_NAMED("ag-grid.d.ts", ag_grid_d_ts),
    FILE_NAMED("react.js", react_js),
    FILE_NAMED("react.d.ts", react_d_ts),
    FILE_NAMED("virtual-list.js", virtual_list_js),
    FILE_NAMED("virtual-list.d.ts", virtual_list_d_ts),
    FILE_NAMED("example.html", example_html),
    FILE_NAMED("index.html", index_html),
    FILE_NAMED("explorer.css", explorer_css),
    FILE_NAMED("explorer.js", explorer_js),
    FILE_NAMED("opening.js", opening_js),
    FILE_NAMED("treegrid.js", treegrid_js),
    FILE_NAMED("columns.js", columns_js),
    FILE_NAMED("keyboard.js", keyboard_js),
    FILE_NAMED("naming.js", naming_js),
    FILE_NAMED("sections.js", sections_js),
    FILE_NAMED("selection.js", selection_js),
    FILE_NAMED("edits.js", edits_js),
    FILE_NAMED("drag.js", drag_js),
    FILE_NAMED("finder.js", finder_js),
    FILE_NAMED("inspector.js", inspector_js),
    FILE_NAMED("start.js", start_js),
    FILE_NAMED("convert.js", convert_js),
    FILE_NAMED("sample.js", sample_js),
    FILE_NAMED("messages.js", messages_js),
    FILE_NAMED("surroundings.js", surroundings_js),
};

cembedded_file cembedded_find(const char *name) {
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (strcmp(files[i].name, name) == 0) return files[i].file;
  }
  return (cembedded_file){NULL, 0};
}
