/* How a report looks: on a desk, on a phone, by night and on paper. */
#include "drawing/figure_style.h"
#include "page/report_sections.h"

static const char text_rules[] =
    /* Text. */
    "*{box-sizing:border-box}\n"
    "html{-webkit-text-size-adjust:100%}\n"
    "body{margin:0 auto;padding:3.5rem 1.5rem 4rem;max-width:calc(920px + 3rem);"
    "background:var(--paper);color:var(--ink);line-height:1.55;"
    "font-family:Charter,'Bitstream Charter','Iowan Old Style','Source Serif "
    "4',Cambria,Georgia,serif;"
    "font-size:17px}\n"
    "h1{font-size:2.6rem;font-weight:500;letter-spacing:-.015em;line-height:1.1;margin:.1em 0 "
    ".35em;"
    "overflow-wrap:anywhere}\n"
    "h2{font-size:1.35rem;font-weight:500;margin:0 0 1rem;padding-top:.7rem;"
    "border-top:1px solid var(--rule)}\n"
    "h3{font-size:1.05rem;font-weight:600;margin:0 0 .4rem}\n"
    "h3 span{font-weight:400;color:var(--quiet);margin-left:.4em}\n"
    "section{margin-top:2.8rem}\n"
    "p,ul{margin:.6rem 0;max-width:44rem}p,li,dd,figcaption{overflow-wrap:anywhere}\n"
    "a{color:var(--accent);text-decoration:none}\n"
    "a:hover{text-decoration:underline}\n"
    ".kicker,nav,table,.scroll,figure,svg,.key,.note,.caption,figcaption,.facts,pre,footer"
    "{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',"
    "'Liberation Sans',Arial,sans-serif}\n"
    ".kicker{font-size:.78rem;letter-spacing:.09em;text-transform:uppercase;color:var(--quiet);"
    "margin:0}\n"
    ".lede{font-size:1.2rem;line-height:1.5;max-width:40rem;margin:0 0 1.2rem}\n"
    "nav{font-size:.85rem;display:flex;flex-wrap:wrap;gap:.25rem 1.1rem}\n"
    ".note,.caption,figcaption{font-size:.82rem;line-height:1.5;color:var(--quiet);"
    "max-width:46rem}\n"
    "figcaption,.caption{margin-top:.4rem}\n"
    ".remarks{padding-left:1.15rem}.remarks li{margin:.3rem 0}\n"
    ".verdict{padding:.1rem 0 .1rem .9rem;border-left:3px solid var(--quiet)}"
    ".verdict.good{border-color:var(--good)}.verdict.bad{border-color:var(--bad)}\n"
    "p code{white-space:nowrap}"
    "code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
    "font-size:.85em}\n"
    "pre{background:var(--wash);border-radius:4px;padding:.8rem 1rem;overflow-x:auto;"
    "font-size:.8rem;line-height:1.6;margin:.6rem 0}\n"
    ".commands span{display:block;white-space:pre-wrap;"
    "overflow-wrap:anywhere;padding-left:1.3em;text-indent:-1.3em}\n"
    ".commands span::before{content:'$ ';color:var(--quiet)}"
    ".commands b{font-weight:inherit;white-space:nowrap}\n"
    /* Tables: lines above and below, as in papers. */
    /* What is wider than its place can be moved sideways; shadows at its edges say so, and words
     * where a browser can tell that there is more. */
    ".scroll{overflow-x:auto;background:linear-gradient(to right,var(--paper) 40%,transparent),"
    "linear-gradient(to left,var(--paper) 40%,transparent) 100% 0,"
    "linear-gradient(to right,var(--pale),transparent),"
    "linear-gradient(to left,var(--pale),transparent) 100% 0;background-repeat:no-repeat;"
    "background-size:36px 100%,36px 100%,12px 100%,12px 100%;"
    "background-attachment:local,local,scroll,scroll}\n"
    "@supports (animation-timeline:scroll()){.scroll::before{content:'more at the right: move it "
    "sideways ⟶';display:block;position:sticky;left:0;width:max-content;height:0;overflow:hidden;"
    "font-size:.78rem;color:var(--quiet);animation:more linear;"
    "animation-timeline:scroll(nearest inline)}"
    "@keyframes more{from,to{height:1.5em}}}\n"
    "table{border-collapse:collapse;font-size:.86rem;font-variant-numeric:tabular-nums lining-nums;"
    "border-top:1.5px solid var(--edge);border-bottom:1.5px solid var(--edge);margin:.6rem 0}\n"
    "th,td{padding:.32rem 1.4rem .32rem 0;text-align:left;font-weight:400;white-space:nowrap;"
    "vertical-align:baseline}\n"
    "th:last-child,td:last-child{padding-right:0}\n"
    "thead th{border-bottom:1px solid var(--edge);font-weight:500}\n"
    "tbody tr+tr>*{border-top:1px solid var(--rule)}\n"
    ".overview{width:100%;font-size:.92rem}"
    ".overview th,.overview td{padding:.45rem .9rem .45rem 0}"
    ".overview td.text{white-space:normal;min-width:14rem}\n"
    ".posterior{width:100%}.posterior td:not(:nth-child(2)):not(.text),"
    ".posterior th:not(:first-child):not(:nth-child(2)):not(.text){text-align:right}\n"
    ".derived>*{color:var(--quiet)}\n"
    ".unit{color:var(--quiet);font-size:.9em}i.unit,.unit i{font-style:italic}\n"
    "sub,sup{font-size:.72em;line-height:0}\n"
    "abbr{text-decoration:none}\n"
    ".ends{display:inline-flex;flex-direction:column;font-size:.74em;line-height:1.12;"
    "margin-left:.25em;vertical-align:middle}\n"
    ".facts{max-width:34rem;font-size:.86rem;margin:.4rem 0 "
    ".8rem;font-variant-numeric:tabular-nums}\n"
    ".facts div{display:flex;gap:.8rem;padding:.28rem 0;border-bottom:1px solid var(--rule)}\n"
    ".facts dt{color:var(--quiet);min-width:4.6rem}.facts dd{margin:0}\n"
    /* Figures. */
    "figure{margin:.6rem 0}\n"
    "figure svg{display:block;width:100%;height:auto;overflow:visible}\n"
    "figure svg svg{overflow:hidden;display:inline}\n"
    ".narrow{display:none!important}\n"
    ".pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));"
    "gap:2.2rem 2rem}\n"
    ".pair>*{min-width:0;max-width:560px}\n"
    ".orbit{width:100%}\n"
    ".key{display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;list-style:none;padding:0;margin:.2rem 0;"
    "font-size:.85rem}.key li{display:flex;align-items:center;gap:.4rem}\n"
    ".sign{width:12px;height:12px}\n";

static const char layout_rules[] =
    ".corner{max-width:920px}.corner:not(.large){max-width:560px}\n"
    "footer{margin-top:3.5rem;padding-top:.8rem;border-top:1px solid var(--rule);font-size:.8rem;"
    "color:var(--quiet)}\n"
    /* A phone. */
    "@media (max-width:700px){body{padding:1.6rem 1rem 3rem;font-size:16px}h1{font-size:2rem}"
    ".lede{font-size:1.08rem}.wide{display:none!important}svg.narrow{display:block!important}"
    "li.narrow{display:flex!important}span.narrow{display:inline!important}.spare{display:none}."
    "overview{font-size:.86rem}"
    ".corner svg.square{min-width:480px}.corner.large svg.square{min-width:820px}"
    "th,td{padding-right:.9rem}.orbit th,.posterior "
    "th{white-space:normal}table{font-size:.82rem}section{margin-top:2.2rem}}\n"
    /* Paper. */
    "@page{margin:16mm 15mm}\n";

static const char paper_rules[] =
    "body{padding:0;max-width:none;font-size:10.5pt}nav{display:none}"
    "svg.wide{display:block!important}li.wide{display:flex!important}"
    "span.wide{display:inline!important}.narrow{display:none!important}.spare{display:inline}"
    ".pair{grid-template-columns:1fr 1fr}"
    "figure,article,tr,.verdict{break-inside:avoid}h2,h3{break-after:avoid}"
    "section{margin-top:1.6rem}.scroll{overflow:visible;background:none}.scroll::before{content:"
    "none}a{color:inherit}}\n";

void report_style_write(FILE *page)
{
    fputs(":root{color-scheme:light dark;", page);
    figure_style_properties(page, FIGURE_DAY);
    fputs("}\n@media (prefers-color-scheme:dark){:root{", page);
    figure_style_properties(page, FIGURE_NIGHT);
    fputs("}}\n", page);
    fputs(text_rules, page);
    figure_style_of_page(page);
    fputs(layout_rules, page);
    fputs("@media print{:root{color-scheme:light;", page);
    figure_style_properties(page, FIGURE_DAY);
    fputs("--ink:#000;--quiet:#555;--edge:#000}", page);
    fputs(paper_rules, page);
}
